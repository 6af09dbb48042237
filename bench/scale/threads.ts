import { readdirSync, readFileSync } from "node:fs";

/** The kinds of threads of a media process. */
export type ThreadKind =
  | "main thread"
  | "other Node threads"
  | "video encoders"
  | "sound encoders"
  | "network and rest";

/** Processor time that each kind of thread has used so far, in ms. */
export type ThreadTimes = Readonly<Record<ThreadKind, number>>;

const ticksPerSecond = 100;

/** The processor times of a process's threads. Linux cuts their names after 15 characters. */
export function threadTimes(pid: number): ThreadTimes {
  const times = {
    "main thread": 0,
    "other Node threads": 0,
    "video encoders": 0,
    "sound encoders": 0,
    "network and rest": 0,
  };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = statOf(pid, thread);
    if (stat === undefined) continue;
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const name = stat.slice(stat.indexOf("(") + 1, end);
    times[kindOf(name, thread === String(pid))] += (ticks * 1_000) / ticksPerSecond;
  }
  return times;
}

/** Undefined if the thread has ended meanwhile. */
function statOf(pid: number, thread: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
  } catch {
    return undefined;
  }
}

function kindOf(name: string, isMain: boolean): ThreadKind {
  if (isMain) return "main thread";
  // Worker threads, which draw photographs, have the name of the process, as V8's own threads have.
  if (name === "node") return "other Node threads";
  if (name.startsWith("EncoderQueue")) return "video encoders";
  return name.startsWith("AudioEncoder") ? "sound encoders" : "network and rest";
}

/** The times between two looks. */
export function timesBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  const since = (kind: ThreadKind): number => after[kind] - before[kind];
  return {
    "main thread": since("main thread"),
    "other Node threads": since("other Node threads"),
    "video encoders": since("video encoders"),
    "sound encoders": since("sound encoders"),
    "network and rest": since("network and rest"),
  };
}
