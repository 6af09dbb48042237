import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultPictureSize } from "../src/service/media/create-media-engine.ts";
import { holdToOneCore } from "./held-cores.ts";
import {
  characterFile,
  openMediaStage,
  pause,
  photoCharacterFile,
  spokenTexts,
  usageOf,
  type MediaStage,
} from "./media-stage.ts";
import type { SentPictures, SessionReceived } from "./scale/listener-process.ts";
import { bundleListeners, Listeners } from "./scale/listeners.ts";
import { profiledRow } from "./scale/main-thread.ts";
import { profilesVariable } from "./scale/profile-file.ts";
import { threadTimes, timesBetween, type ThreadTimes } from "./scale/threads.ts";
import { formatTable, short, type Row, type Table } from "./table.ts";

/** The numbers of sessions, one after another. */
const counts = [1, 2, 4, 8, 16, 32];

const settleMs = 1_500;
const measuredMs = 4_000;
const profiledMs = 3_000;

/** So many texts are spoken without a pause for longer than a way is measured. */
const textsEach = 24;

/**
 * A session has its full quality if it gets this many pictures a second, and if no more of its sound than this is made up. At rest, only
 * pictures that differ are sent, but one every 120 ms.
 */
const leastFps = 24;
const leastRestingFps = 7.5;
const mostConcealed = 0.01;

/** What the sessions do. */
export interface Way {
  name: string;
  pictures: SentPictures;
  isSpeaking: boolean;
  /** Default: a drawn one. */
  characterFile?: string;
  counts: readonly number[];
  /** At this number of sessions the main thread is profiled. */
  profiledAt?: number;
}

const ways: readonly Way[] = [
  { name: "video, speaking", pictures: "video", isSpeaking: true, counts, profiledAt: 4 },
  { name: "video, idle", pictures: "video", isSpeaking: false, counts, profiledAt: 8 },
  {
    name: "local, speaking",
    pictures: "local",
    isSpeaking: true,
    counts: [...counts, 40, 48],
    profiledAt: 32,
  },
  {
    name: "photograph as video, speaking",
    pictures: "video",
    isSpeaking: true,
    characterFile: photoCharacterFile,
    counts: [1, 2, 3, 4],
  },
];

/** What some sessions of one way have cost, and what arrived. */
interface Point {
  count: number;
  /** Percent of a core, by kind of thread. */
  threads: ThreadTimes;
  cpu: number;
  receiversCpu: number;
  rssMb: number;
  /** Of the session that got the fewest. */
  fps: number;
  /** The mean quantizer of its frames, 0 to 127. */
  quantizer: number;
  /** Of the smallest picture: on an overloaded machine the WebRTC library scales pictures down. */
  width: number;
  /** The share of sound that the receivers had to make up. */
  concealed: number;
  kbps: number;
}

/** The process that serves the sessions. It became ready first; the other one is its spare. */
function servingPid({ pids }: MediaStage): number {
  const [pid] = pids;
  if (pid === undefined) throw new Error("No media process is ready.");
  return pid;
}

async function measured(stage: MediaStage, listeners: Listeners, count: number): Promise<Point> {
  const pid = servingPid(stage);
  const look = async () => ({
    threads: threadTimes(pid),
    atMs: performance.now(),
    receiversMs: usageOf(listeners.pid).cpuMs,
    sessions: await listeners.received(),
  });
  const before = await look();
  await pause(measuredMs);
  const after = await look();
  const seconds = (after.atMs - before.atMs) / 1_000;
  const times = timesBetween(before.threads, after.threads);
  const percent = (ms: number): number => ms / (10 * seconds);
  const changes = after.sessions.map((now, index) => change(now, before.sessions[index]));
  const sum = (value: (each: SessionReceived) => number): number =>
    changes.reduce((total, each) => total + value(each), 0);
  return {
    count,
    threads: {
      "main thread": percent(times["main thread"]),
      "other Node threads": percent(times["other Node threads"]),
      "video encoders": percent(times["video encoders"]),
      "sound encoders": percent(times["sound encoders"]),
      "network and rest": percent(times["network and rest"]),
    },
    cpu: percent(Object.values(times).reduce((total, ms) => total + ms, 0)),
    receiversCpu: percent(after.receiversMs - before.receiversMs),
    rssMb: usageOf(pid).rssMb,
    fps: Math.min(...changes.map(({ frames, nowMs }) => (frames * 1_000) / nowMs)),
    quantizer:
      sum(({ quantizers }) => quantizers) /
      Math.max(
        1,
        sum(({ frames }) => frames),
      ),
    width: Math.min(...after.sessions.map(({ width }) => width)),
    concealed:
      sum(({ concealed }) => concealed) /
      Math.max(
        1,
        sum(({ samples }) => samples),
      ),
    kbps: sum(({ bytes, nowMs }) => (bytes * 8) / nowMs) / count,
  };
}

function change(now: SessionReceived, before: SessionReceived | undefined): SessionReceived {
  if (!before) return now;
  return {
    nowMs: now.nowMs - before.nowMs,
    frames: now.frames - before.frames,
    keyFrames: now.keyFrames - before.keyFrames,
    quantizers: now.quantizers - before.quantizers,
    width: now.width,
    bytes: now.bytes - before.bytes,
    samples: now.samples - before.samples,
    concealed: now.concealed - before.concealed,
  };
}

function isOfFullQuality({ pictures, isSpeaking }: Way, { fps, width, concealed }: Point): boolean {
  if (concealed > mostConcealed) return false;
  return (
    pictures === "local" || (width === defaultPictureSize && fps >= (isSpeaking ? leastFps : leastRestingFps))
  );
}

function pointRow(way: Way, point: Point): Row {
  const { count, threads, cpu, receiversCpu, rssMb, fps, quantizer, width, concealed, kbps } = point;
  return {
    name: `${count} session${count === 1 ? "" : "s"}`,
    columns: {
      "CPU % of a core": short(cpu),
      "each %": short(cpu / count),
      ...Object.fromEntries(Object.entries(threads).map(([kind, value]) => [`${kind} %`, short(value)])),
      ...(way.pictures === "video" && {
        "fps least": short(fps),
        quantizer: short(quantizer),
        "px least": width,
      }),
      "made-up sound %": short(concealed * 100),
      "kbit/s each": Math.round(kbps),
      "RSS MB": short(rssMb),
      "receivers %": short(receiversCpu),
    },
  };
}

/** The row of a way in the summary. */
function summaryRow(way: Way, points: readonly Point[], emptyMb: number): Row {
  const good = points.filter((point) => isOfFullQuality(way, point) && point.cpu < 99);
  const best = good.at(-1) ?? points[0];
  const most = points.at(-1);
  if (!best || !most) return { name: way.name, columns: {} };
  const [limit] = Object.entries(best.threads).sort(([, a], [, b]) => b - a);
  return {
    name: way.name,
    columns: {
      "tried at full quality": good.at(-1)?.count ?? 0,
      "a core serves": short((100 * best.count) / best.cpu),
      "main thread alone": short((100 * best.count) / best.threads["main thread"]),
      "largest part": limit?.[0] ?? "",
      "MB each": short((most.rssMb - emptyMb) / most.count),
      "kbit/s each": Math.round(best.kbps),
    },
  };
}

/** Measures one way at all its counts. Returns the table of it, the row of its profile, and that of the summary. */
export async function benchWay(
  way: Way,
  entry: URL,
): Promise<{ table: Table; profile: Row | undefined; summary: Row }> {
  const stage = await openMediaStage({ mediaSource: "bench/scale/media-process.ts", keepsSpeech: true });
  const emptyMb = usageOf(servingPid(stage)).rssMb;
  const texts = Array.from(
    { length: way.isSpeaking ? textsEach : 0 },
    (_, index) => spokenTexts[index % 4] ?? "",
  );
  const listeners = new Listeners(stage, entry, {
    characterFile: way.characterFile ?? characterFile,
    pictures: way.pictures,
    texts,
  });
  const points: Point[] = [];
  let profile: Row | undefined;
  let isHeld = false;
  try {
    for (const count of way.counts) {
      await listeners.growTo(count);
      isHeld = holdToOneCore(stage.pids, [listeners.pid, process.pid]);
      await pause(settleMs);
      points.push(await measured(stage, listeners, count));
      if (count === way.profiledAt)
        profile = await profiledRow(`${way.name}, ${count} sessions`, servingPid(stage), profiledMs);
    }
  } catch (error) {
    // What was measured until a process could take no more is a result.
    console.error(`${way.name}: no more than ${points.at(-1)?.count ?? 0} sessions: ${String(error)}`);
  } finally {
    await listeners.end();
    await stage.close();
  }
  return {
    table: {
      title: `Scale: ${way.name}${isHeld ? ", held to one core" : ""}`,
      rows: points.map((point) => pointRow(way, point)),
    },
    profile,
    summary: summaryRow(way, points, emptyMb),
  };
}

/** How many sessions a core serves in each way, what each costs, and what limits them. Takes about four minutes; Linux. */
export async function benchScale(): Promise<Table[]> {
  const entry = await bundleListeners();
  const folder = mkdtempSync(join(tmpdir(), "visavis-bench-"));
  process.env[profilesVariable] = folder;
  try {
    const results = [];
    for (const way of ways) results.push(await benchWay(way, entry.url));
    return [
      ...results.map(({ table }) => table),
      {
        title: "Scale: the main thread's work, % of it",
        rows: results.flatMap(({ profile }) => profile ?? []),
      },
      {
        title: "Scale: sessions a core (goals: 8 with video speaking, 16 idle, 40 local, 2 photographs)",
        rows: results.map(({ summary }) => summary),
      },
    ];
  } finally {
    entry.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const table of await benchScale()) process.stdout.write(`${formatTable(table)}\n`);
}
