import { availableParallelism } from "node:os";

/** With more sessions than this for each core, processor time becomes scarce before bandwidth does. */
const quietSessionsACore = 8;

/** One with video takes as much processor time as so many without. */
const sessionsAVideo = 4;

/** Whether processor time is scarce in a process with these sessions. */
export function isBusy(
  sessions: Iterable<{ readonly hasVideo: boolean }>,
  cores = availableParallelism(),
): boolean {
  let load = 0;
  for (const { hasVideo } of sessions) load += hasVideo ? sessionsAVideo : 1;
  return load > quietSessionsACore * cores;
}
