// Connections through ssh, as the docker CLI makes them: `ssh HOST docker system dial-stdio`, HTTP over its stdio.
// execa is loaded on first use, because no other route needs it.

import { Agent } from "node:http";
import { Duplex } from "node:stream";
import type { ResultPromise } from "execa";
import type { Environment } from "./dockerconfig.ts";
import type { SshDestination } from "./target.ts";

const CONNECT_SECONDS = 30;

type SshProcess = ResultPromise<{ buffer: { stdout: false; stderr: true } }>;

/** In a box, because a process is a promise of its own end and would be awaited. */
type Dialled = { readonly child: SshProcess };

/** Makes one ssh process per connection; those that are kept spare the next call a handshake. */
export class SshAgent extends Agent {
  readonly #destination: SshDestination;
  readonly #environment: Environment;

  constructor(
    destination: SshDestination,
    environment: Environment,
    options: { readonly keepAlive: boolean; readonly maxSockets: number },
  ) {
    super(options);
    this.#destination = destination;
    this.#environment = environment;
  }

  override createConnection(): Duplex {
    return new SshConnection(() => dial(this.#destination, this.#environment));
  }
}

async function dial(destination: SshDestination, environment: Environment): Promise<Dialled> {
  const { execa } = await import("execa");
  const child = execa("ssh", sshArguments(destination), {
    env: environment,
    extendEnv: false,
    buffer: { stdout: false, stderr: true },
    // Ctrl-C on the terminal must not cut the calls that are still to finish.
    detached: true,
  });
  return { child };
}

/** The arguments of `ssh`. It never asks anything: wgctl runs from cron, and many connections would ask at once. */
export function sshArguments(destination: SshDestination): readonly string[] {
  const { host, user, port, socket } = destination;
  return [
    ...["-o", "BatchMode=yes", "-o", `ConnectTimeout=${CONNECT_SECONDS}`, "-T"],
    ...(user === undefined ? [] : ["-l", user]),
    ...(port === undefined ? [] : ["-p", String(port)]),
    ...["--", host, "docker"],
    ...(socket === undefined ? [] : ["--host", `unix://${socket}`]),
    ...["system", "dial-stdio"],
  ];
}

// Stands in for a socket, so it is there at once while the process is still being made.
class SshConnection extends Duplex {
  readonly #dial: () => Promise<Dialled>;
  #process: SshProcess | undefined;

  constructor(dialing: () => Promise<Dialled>) {
    super();
    this.#dial = dialing;
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.#dial()
      .then(({ child }) => this.#adopt(child))
      .then(() => done(), done);
  }

  #adopt(child: SshProcess): void {
    this.#process = child;
    child.stdout.on("data", (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    // A failed write means that the process has ended, and its end says more.
    child.stdin.on("error", () => undefined);
    child.then(
      () => this.push(null),
      (error: Error) => this.destroy(error),
    );
  }

  override _read(): void {
    this.#process?.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#process?.stdin.write(chunk, () => done()) === undefined) done();
  }

  override _final(done: () => void): void {
    this.#process?.stdin.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#process?.kill();
    done(error);
  }

  // What node:http calls on a socket and a pipe has no use for.
  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
