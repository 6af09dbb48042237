import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundleEntry } from "../test/service/bundle-entry.ts";
import { AskedProcess } from "../test/service/media/asked-process.ts";
import type { RaceCommand, RaceStep } from "../test/service/media/race-client-process.ts";
import { characterFile, openMediaStage, pause, type MediaStage } from "./media-stage.ts";
import { formatTable, short, type Row } from "./table.ts";

/** After this many sessions, everything that is loaded only once is loaded. */
const baselineSessions = 50;

/** How much memory may grow between the baseline and the end. */
const growthMaxMb = 30;

/** The client process is replaced after this many sessions, so that memory that it keeps does not slow down the measurement. */
const sessionsPerClientProcess = 25;

/** The resources of a media process. */
interface Holdings {
  rssMb: number;
  threads: number;
  descriptors: number;
}

function holdingsOf(pid: number): Holdings {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const number = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return {
    rssMb: number("VmRSS") / 1024,
    threads: number("Threads"),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

function message(type: string, data: Record<string, unknown> = {}): RaceStep {
  return { do: "message", text: JSON.stringify({ type, data }) };
}

/** The steps of a session. Sizes, uploads and recordings vary from one session to the next. */
function stepsOf(index: number): RaceStep[] {
  return [
    message("ttstf", { message: `This is conversation number ${index}.` }),
    message("activity", { activity: "listening" }),
    message("change-size", { width: 300, height: [256, 432, 600][index % 3]! }),
    message("record-start"),
    ...(index % 2 === 0 ? [message("record-end-stt")] : []),
    { do: "binary", channel: "file", length: 16_000 },
    { do: "binary", channel: "file", length: 0 },
  ];
}

/** Runs one session from its offer to its end. The way it ends varies from one session to the next. */
async function runSession(
  { engine }: MediaStage,
  clients: AskedProcess<RaceCommand>,
  index: number,
): Promise<void> {
  const sessionId = `soak-${index}`;
  const exchange = async (client: string): Promise<void> => {
    const offerSdp = (await clients.run({ method: "offer", client, microphone: true })) as string;
    const { answerSdp } = await engine.exchange({ sessionId, offerSdp, characterFile });
    await clients.run({ method: "accept", client, sdp: answerSdp });
  };
  await exchange(sessionId);
  await clients.run({ method: "open-file", client: sessionId });
  await clients.run({ method: "act", client: sessionId, steps: stepsOf(index) });
  await pause(300);
  // Like a page that was reloaded: a second connection of the same session.
  if (index % 4 === 3) await exchange(`${sessionId}, again`);
  if (index % 2 === 0) engine.close(sessionId);
  await clients.run({ method: "act", client: sessionId, steps: [{ do: "close" }] });
  if (index % 4 === 3)
    await clients.run({ method: "act", client: `${sessionId}, again`, steps: [{ do: "close" }] });
}

/** The resources of the largest process, after some idle seconds. */
async function settled(stage: MediaStage): Promise<Holdings> {
  while (stage.engine.peerCount > 0) await pause(100);
  await pause(5_000);
  const all = stage.pids.map(holdingsOf);
  return all.reduce((most, one) => (one.rssMb > most.rssMb ? one : most));
}

function row(name: string, { rssMb, threads, descriptors }: Holdings): Row {
  return { name, columns: { "memory MB": short(rssMb), threads, descriptors } };
}

/** Runs sessions one after another; resolves with whether memory stayed within the limit and no process died. */
async function soak(sessions: number): Promise<boolean> {
  const [stage, entry] = await Promise.all([
    openMediaStage(),
    bundleEntry("test/service/media/race-client-process.ts"),
  ]);
  const rows: Row[] = [row("idle", await settled(stage))];
  let baseline: Holdings | undefined;
  let clients = new AskedProcess<RaceCommand>(entry.url);
  for (let index = 1; index <= sessions; index++) {
    await runSession(stage, clients, index);
    if (index % sessionsPerClientProcess === 0) {
      await clients.end();
      clients = new AskedProcess(entry.url);
    }
    if (index % baselineSessions !== 0 && index !== sessions) continue;
    const now = await settled(stage);
    if (index >= baselineSessions) baseline ??= now;
    rows.push(row(`after ${index} sessions`, now));
    process.stderr.write(`after ${index} sessions: ${short(now.rssMb)} MB\n`);
  }
  const last = await settled(stage);
  const deaths = stage.pids.length - 2;
  await clients.end();
  await stage.close();
  entry.remove();
  const growthMb = last.rssMb - (baseline ?? last).rssMb;
  process.stdout.write(`${formatTable({ title: "A media process, sessions one after another", rows })}\n`);
  process.stdout.write(
    `Growth since ${baselineSessions} sessions: ${short(growthMb)} MB (at most ${growthMaxMb}); dead media processes: ${deaths}\n`,
  );
  return growthMb <= growthMaxMb && deaths === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { sessions: { type: "string", default: "500" } } });
  process.exitCode = (await soak(Number(values.sessions))) ? 0 : 1;
}
