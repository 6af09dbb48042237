import { pathToFileURL } from "node:url";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../src/service/speech/engines/flite/flite-synthesizer.ts";
import { bundleEntry } from "../test/service/bundle-entry.ts";
import { formatTable, percentile, type Row, type Table } from "./table.ts";
import { falseStarts } from "./voice/false-starts.ts";
import { measureLatencies } from "./voice/latencies.ts";
import { clicks, music, noises } from "./voice/sounds.ts";
import { spokenTurns } from "./voice/spoken-turns.ts";
import { endingOf, type Ending } from "./voice/turn-endings.ts";

function endingRow({ turn, isCutOff, delayMs }: Ending): Row {
  const name = turn.parts.map((part) => (typeof part === "number" ? `(${part} ms)` : part)).join(" ");
  return {
    name,
    columns: { kind: turn.kind, "cut off": isCutOff ? "yes" : "", "delay ms": Math.round(delayMs) },
  };
}

function summary(name: string, endings: readonly Ending[]): Row {
  const cut = endings.filter(({ isCutOff }) => isCutOff).length;
  const delays = endings.map(({ delayMs }) => delayMs).filter(Number.isFinite);
  return {
    name,
    columns: {
      turns: endings.length,
      "cut off": cut,
      "cut off %": Math.round((cut / endings.length) * 100),
      "median delay ms": Math.round(percentile(delays, 50)),
      "p90 ms": Math.round(percentile(delays, 90)),
    },
  };
}

async function endingTables(flite: FliteSynthesizer): Promise<Table[]> {
  const endings: Ending[] = [];
  for (const turn of spokenTurns) endings.push(await endingOf(flite, turn));
  const kinds = [...new Set(spokenTurns.map(({ kind }) => kind))];
  return [
    { title: "Endings of 40 spoken turns, each by itself", rows: endings.map(endingRow) },
    {
      title: "Endings of turns (at most 5 % cut off, median delay at most 550 ms)",
      rows: [
        ...kinds.map((kind) =>
          summary(
            kind,
            endings.filter(({ turn }) => turn.kind === kind),
          ),
        ),
        summary("all", endings),
      ],
    },
  ];
}

async function falseStartTable(): Promise<Table> {
  const sounds = { "100 s of noise": noises(), "100 s of clicks": clicks(), "100 s of music": music() };
  const rows: Row[] = [];
  let all = 0;
  for (const [name, sound] of Object.entries(sounds)) {
    const starts = await falseStarts(sound);
    rows.push({ name, columns: { "false starts": starts } });
    all += starts;
  }
  rows.push({ name: "5 minutes in all", columns: { "false starts": all, "at most": 1 } });
  return { title: "Turns that nobody began", rows };
}

/** Turn-taking of the visitor's voice: where turns end and begin, and how fast the avatar answers, becomes quiet and stops. */
export async function benchVoice(): Promise<Table[]> {
  const worker = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  const flite = createFliteSynthesizer({ workerUrl: worker.url });
  try {
    return [...(await endingTables(flite)), await falseStartTable(), await measureLatencies()];
  } finally {
    await flite.close();
    worker.remove();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const table of await benchVoice()) console.log(formatTable(table));
