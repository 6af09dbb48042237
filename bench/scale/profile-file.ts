/** The name of the variable that names the folder of profiles. */
export const profilesVariable = "VISAVIS_BENCH_FOLDER";

/** The folder in which media processes write their profiles. */
export function profilesFolder(): string {
  const folder = process.env[profilesVariable];
  if (folder === undefined) throw new Error(`${profilesVariable} is not set.`);
  return folder;
}

/** The name of a process's profile. */
export function profileFile(pid: number): string {
  return `${pid}.cpuprofile`;
}
