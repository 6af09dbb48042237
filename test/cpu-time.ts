/** The processor time that this process takes for some work, in ms. Unlike the time that passes, it does not grow with what else runs. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
