import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { VideoMatte } from "../src/protocol/session/exchange.ts";
import { defaultFrameSize } from "../src/service/media/pictures/avatar-place.ts";
import { defaultPictureSize } from "../src/service/media/create-media-engine.ts";
import { createPuppetBehaviour, createRig, parseCharacter } from "../src/puppet/index.ts";
import { Path2D } from "@napi-rs/canvas";
import type { PlayableSpeech } from "../src/service/media/media-engine.ts";
import type { Received } from "../test/service/media/client-process.ts";
import type { MediaClient } from "../test/service/media/media-client.ts";
import { holdToOneCore } from "./held-cores.ts";
import {
  characterFile,
  openMediaStage,
  pause,
  spokenTexts,
  usageOf,
  type MediaStage,
} from "./media-stage.ts";
import { formatTable, percentile, short, type Row, type Table } from "./table.ts";

const loadMs = 6_000;
const audiblePeak = 1_000;

/** CPU time of all media processes together (the spare uses none), and the memory of the largest. */
function usageOfAll({ pids }: MediaStage): { cpuMs: number; rssMb: number } {
  const usages = pids.map(usageOf);
  return {
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssMb: Math.max(...usages.map(({ rssMb }) => rssMb)),
  };
}

/** The matte and size of the sessions' pictures. */
interface PictureForm {
  matte: VideoMatte;
  size: { width: number; height: number };
}

const packed: PictureForm = {
  matte: "packed-alpha",
  size: { width: defaultPictureSize, height: defaultPictureSize },
};

/** Finished pictures in typical sizes: the widget's upright window, a wide one, and the largest. */
const finished: PictureForm[] = [
  { matte: "none", size: { width: 360, height: 432 } },
  { matte: "none", size: defaultFrameSize },
  { matte: "none", size: { width: 1_280, height: 720 } },
];

/** Lets `count` sessions speak without pause and measures what their process uses and what arrives. */
async function loadRow(stage: MediaStage, count: number, form: PictureForm): Promise<Row> {
  const clients: MediaClient[] = [];
  const sessionOf = (index: number): string => `load-${form.matte}-${form.size.width}-${count}-${index}`;
  for (let index = 0; index < count; index++) {
    const { client } = await stage.connect(sessionOf(index), form.matte);
    await client.send("change-size", form.size);
    for (let text = 0; text < 3; text++)
      await client.send("ttstf", { message: spokenTexts[(index + text) % 4]! });
    clients.push(client);
  }
  const isHeld = holdToOneCore(
    stage.pids,
    clients.map(({ pid }) => pid),
  );
  await pause(2_000);
  const before = await Promise.all(clients.map((client) => client.received()));
  const usedBefore = usageOfAll(stage);
  await pause(loadMs);
  const used = usageOfAll(stage);
  const after = await Promise.all(clients.map((client) => client.received()));
  const rates = after.map(({ pictures, nowMs }, index) => {
    const start = before[index]!;
    return ((pictures - start.pictures) * 1_000) / (nowMs - start.nowMs);
  });
  const cpu = (used.cpuMs - usedBefore.cpuMs) / (loadMs / 100);
  for (let index = 0; index < count; index++) stage.engine.close(sessionOf(index));
  await Promise.all(clients.map((client) => client.end()));
  return {
    name: `${count} speaking session${count === 1 ? "" : "s"}${isHeld ? ", held to one core" : ""}`,
    columns: {
      "CPU % of a core": short(cpu),
      "fps least": short(Math.min(...rates)),
      "fps mean": short(rates.reduce((sum, rate) => sum + rate, 0) / count),
      "RSS MB": short(used.rssMb),
    },
  };
}

/** Starts sessions one after another and measures the times until the answer and until the first picture. */
async function startRow(stage: MediaStage): Promise<Row> {
  const [exchange, picture]: [number[], number[]] = [[], []];
  for (let run = 0; run < 12; run++) {
    const { client, exchangeMs, firstPictureMs } = await stage.connect(`start-${run}`);
    exchange.push(exchangeMs);
    picture.push(firstPictureMs);
    stage.engine.close(`start-${run}`);
    await client.end();
  }
  return {
    name: "new session",
    columns: {
      "exchange ms": short(percentile(exchange, 50)),
      "exchange p90": short(percentile(exchange, 90)),
      "first picture ms": short(percentile(picture, 50)),
      "first picture p90": short(percentile(picture, 90)),
    },
  };
}

/** Measures at the client the times from `ttstf` to sound and from `clear-buffer` to silence. */
async function answerRow(stage: MediaStage, client: MediaClient): Promise<Row> {
  const [toSound, toSilence]: [number[], number[]] = [[], []];
  for (let run = 0; run < 8; run++) {
    await client.forget();
    const askedAt = (await client.received()).nowMs;
    await client.send("ttstf", { message: `${run}. ${spokenTexts[run % 4]!}` });
    const heard = await client.until("sound", (seen) => seen.heard.some(([, peak]) => peak > audiblePeak));
    toSound.push(heard.heard.find(([, peak]) => peak > audiblePeak)![0] - askedAt);
    await pause(700);
    const clearedAt = (await client.received()).nowMs;
    await client.send("clear-buffer", {});
    await pause(500);
    const last = (await client.received()).heard.findLast(([, peak]) => peak > audiblePeak / 2);
    toSilence.push(last![0] - clearedAt);
  }
  return {
    name: "speaking and stopping",
    columns: {
      "text to sound ms": short(percentile(toSound, 50)),
      "clear to silence ms": short(percentile(toSilence, 50)),
      "clear worst": short(Math.max(...toSilence)),
    },
  };
}

interface Series {
  timesMs: number[];
  values: number[];
}

/** How far the puppet drops its jaw during this speech, every 10 ms. */
function expectedJaw({ visemes, words }: PlayableSpeech, lengthMs: number): Series {
  const character = parseCharacter(JSON.parse(readFileSync(characterFile, "utf8")));
  const rig = createRig(character, { Path2D });
  const behaviour = createPuppetBehaviour(character, { reducedMotion: true });
  behaviour.speak({ visemes, words }, 0);
  const timesMs = Array.from({ length: Math.ceil(lengthMs / 10) }, (_, index) => index * 10);
  return { timesMs, values: timesMs.map((timeMs) => rig.state(behaviour.step(timeMs)).jaw) };
}

/** The loudest sample of every 10 ms. */
function expectedPeaks({ pcm, sampleRateHz }: PlayableSpeech): Series {
  const step = sampleRateHz / 100;
  const count = Math.floor(pcm.length / step);
  const values = Array.from({ length: count }, (_, index) =>
    pcm
      .subarray(index * step, (index + 1) * step)
      .reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  return { timesMs: values.map((_, index) => index * 10), values };
}

function valueAt({ timesMs, values }: Series, timeMs: number): number {
  const index = (timeMs - timesMs[0]!) / 10;
  const low = Math.floor(index);
  return (values[low] ?? 0) + ((values[low + 1] ?? 0) - (values[low] ?? 0)) * (index - low);
}

/** The delay at which the measured values correlate best with the expected ones; NaN if none correlates enough. */
function delayOf(
  measured: readonly (readonly [number, number])[],
  expected: Series,
  from: number,
  to: number,
): number {
  let best = { delay: NaN, fit: 0.5 };
  const center = (values: number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (a: number[], b: number[]): number =>
    a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  const values = center(measured.map(([, value]) => value));
  for (let delay = from; delay <= to; delay += 1) {
    const shifted = center(measured.map(([timeMs]) => valueAt(expected, timeMs - delay)));
    const fit = dot(values, shifted) / Math.sqrt(dot(values, values) * dot(shifted, shifted) || 1);
    if (fit > best.fit) best = { delay, fit };
  }
  return best.delay;
}

/** How late the mouth is against the voice in one utterance, for each window of 1.2 s. */
function lipOffsets({ heard, mouths }: Received, startMs: number, speech: PlayableSpeech): number[] {
  const lengthMs = (speech.pcm.length * 1_000) / speech.sampleRateHz;
  const within = ([atMs]: readonly [number, number]): boolean =>
    atMs > startMs && atMs < startMs + lengthMs + 700;
  // A packet holds the 10 ms before its arrival.
  const sound = heard.filter(within).map(([atMs, peak]) => [atMs - 10 - startMs, peak] as const);
  const voice = delayOf(sound, expectedPeaks(speech), 0, 600);
  const jaw = expectedJaw(speech, lengthMs);
  const offsets: number[] = [];
  for (let from = voice; from + 1_200 <= voice + lengthMs; from += 400) {
    const window = mouths
      .map(([atMs, darkness]) => [atMs - startMs, darkness] as const)
      .filter(([atMs]) => atMs >= from && atMs < from + 1_200);
    const offset = delayOf(window, jaw, voice - 150, voice + 150) - voice;
    if (Number.isFinite(offset)) offsets.push(offset);
  }
  return offsets;
}

async function lipsRow(stage: MediaStage, client: MediaClient): Promise<Row> {
  const offsets: number[] = [];
  await client.send("motion", { reduced: true });
  for (let run = 0; run < 8; run++) {
    const text = `${spokenTexts[run % 4]!} ${run}`;
    await client.forget();
    const startMs = (await client.received()).nowMs;
    await client.send("ttstf", { message: text });
    while (!stage.spoken.has(text)) await pause(20);
    const speech = stage.spoken.get(text)!;
    await pause((speech.pcm.length * 1_000) / speech.sampleRateHz + 800);
    offsets.push(...lipOffsets(await client.received(), startMs, speech));
  }
  return {
    name: "lips late by, in Node",
    columns: {
      windows: offsets.length,
      "median ms": short(percentile(offsets, 50)),
      "2.5 %": short(percentile(offsets, 2.5)),
      "97.5 %": short(percentile(offsets, 97.5)),
    },
  };
}

/** The cost of sessions for their media process, the time until it shows and speaks, and the lip sync. */
export async function benchMedia(): Promise<Table[]> {
  const stage = await openMediaStage();
  try {
    const load = [await loadRow(stage, 1, packed), await loadRow(stage, 4, packed)];
    const finishedTables: Table[] = [];
    for (const form of finished)
      finishedTables.push({
        title: `Media: one process, ${form.size.width} × ${form.size.height} px, finished, 25 fps asked`,
        rows: [await loadRow(stage, 1, form), await loadRow(stage, 4, form)],
      });
    const start = await startRow(stage);
    const { client } = await stage.connect("talk");
    await pause(4_000);
    return [
      { title: `Media: one process, ${defaultPictureSize} px, packed alpha, 25 fps asked`, rows: load },
      ...finishedTables,
      { title: "Media: start, speaking, stopping", rows: [start, await answerRow(stage, client)] },
      { title: "Media: lips against voice, windows of 1.2 s", rows: [await lipsRow(stage, client)] },
    ];
  } finally {
    await stage.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const table of await benchMedia()) process.stdout.write(`${formatTable(table)}\n`);
}
