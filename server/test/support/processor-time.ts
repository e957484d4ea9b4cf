/**
 * The processor time that this process has used, in milliseconds. A limit on it holds on a busy machine too, where the
 * clock runs on while the process waits.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
