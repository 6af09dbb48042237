import { pathToFileURL } from "node:url";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../src/service/speech/engines/flite/flite-synthesizer.ts";
import { bundleEntry } from "../test/service/bundle-entry.ts";
import { formatTable, percentile, short, type Table } from "./table.ts";

const elevenWords = "We deliver every chair to your home within about ten days";
const voices = ["slt", "kal16"];
const runs = 30;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Time to synthesize 11 words, with a new text each time, so that nothing comes from a cache. */
async function latencyRow(synthesizer: FliteSynthesizer, voice: string): Promise<Table["rows"][number]> {
  const took: number[] = [];
  let audioMs = 0;
  for (let run = 0; run < runs; run++) {
    took.push(
      await timed(async () => {
        const speech = await synthesizer.synthesize({ text: `${elevenWords} ${run}`, voice });
        audioMs += (speech.pcm.length * 1_000) / speech.sampleRateHz;
      }),
    );
  }
  const total = took.reduce((sum, ms) => sum + ms, 0);
  return {
    name: `11 words, ${voice}`,
    columns: {
      "median ms": short(percentile(took, 50)),
      "p95 ms": short(percentile(took, 95)),
      "audio s per s": short(audioMs / total),
    },
  };
}

/** Time to synthesize a long text, which all threads share in pieces. */
async function longRow(synthesizer: FliteSynthesizer): Promise<Table["rows"][number]> {
  const text = `${elevenWords}. `.repeat(50);
  let audioMs = 0;
  const took = await timed(async () => {
    const speech = await synthesizer.synthesize({ text, voice: "slt" });
    audioMs = (speech.pcm.length * 1_000) / speech.sampleRateHz;
  });
  return {
    name: "550 words, slt",
    columns: { "median ms": short(took), "audio s per s": short(audioMs / took) },
  };
}

/** The cost of Flite in its worker threads, including word timings. */
export async function benchSpeech(): Promise<Table[]> {
  const entry = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  const synthesizer = createFliteSynthesizer({ workerUrl: entry.url });
  try {
    await synthesizer.warm();
    const rows = [];
    for (const voice of voices) rows.push(await latencyRow(synthesizer, voice));
    rows.push(await longRow(synthesizer));
    rows.push({
      name: "memory of the process",
      columns: { "RSS MB": short(process.memoryUsage.rss() / 2 ** 20) },
    });
    return [{ title: "Speech: Flite in two worker threads", rows }];
  } finally {
    await synthesizer.close();
    entry.remove();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const table of await benchSpeech()) process.stdout.write(`${formatTable(table)}\n`);
}
