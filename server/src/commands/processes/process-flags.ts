/** The flags of Node for each process of `serve`. */
import type { ProcessRole } from './messages.ts';

// A young generation of half the usual size saves forty megabytes under load and costs no processor time. One of a
// quarter costs a tenth more time. A process collects its garbage once it has started, see `process.ts`.
const flags = ['--max-semi-space-size=8', '--expose-gc'];
// An import leaves much garbage. A heap that may only double before it is collected saves eighty megabytes, and an
// import takes no more processor time.
export const flagsOf: Record<ProcessRole, string[]> = {
  requests: flags,
  imports: [...flags, '--heap-growing-percent=100'],
};
