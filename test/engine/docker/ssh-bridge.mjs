// What the test's `ssh` becomes: stdio on one side, the socket in SSH_BRIDGE_SOCKET on the other.

import { connect } from "node:net";

const socket = connect(process.env["SSH_BRIDGE_SOCKET"] ?? "");
process.stdin.pipe(socket).pipe(process.stdout);
