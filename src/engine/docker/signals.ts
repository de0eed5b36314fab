// Names of signals as Linux numbers them. The engine runs Linux even where this program does not.

const NAMES = [
  ...["HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV"],
  ...["USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU"],
  ...["URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"],
];

const RTMIN = 34;
const RTMAX = 64;
const RTMIN_NAMED_UP_TO = RTMIN + 15;

/** `15`, `TERM`, `sigterm` -> `SIGTERM`; what is no signal is passed on in capitals, for the engine to judge. */
export function signalName(text: string): string {
  const number = /^\d+$/.test(text) ? Number(text) : undefined;
  const name = (number === undefined ? text : nameOf(number)).toUpperCase();
  return name.startsWith("SIG") || /^\d/.test(name) ? name : `SIG${name}`;
}

function nameOf(number: number): string {
  if (number < RTMIN || number > RTMAX) return NAMES[number - 1] ?? String(number);
  if (number === RTMIN) return "RTMIN";
  if (number === RTMAX) return "RTMAX";
  const low = number <= RTMIN_NAMED_UP_TO;
  return low ? `RTMIN+${number - RTMIN}` : `RTMAX-${RTMAX - number}`;
}
