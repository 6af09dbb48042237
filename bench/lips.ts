import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import type { Page } from "@playwright/test";
import type { TtsResponse } from "../src/protocol/speech.ts";
import { createPuppetBehaviour, createPuppetRenderer, parseCharacter } from "../src/puppet/index.ts";
import { canaryKey } from "../e2e/support/stack.ts";
import { openAvatar, untilSpoken } from "../e2e/support/talk.ts";
import { openBenchStage } from "./browser.ts";
import { percentile, short, type Table } from "./table.ts";

/** A signal sampled at times in ms. */
interface Series {
  timesMs: number[];
  values: number[];
}

const texts = [
  "The Alder reading chair costs four hundred and eighty euros.",
  "Our drivers carry the furniture into the room of your choice.",
  "You can pay by card, by bank transfer, or in three instalments.",
  "Maybe papa bought a big lamp, a table and a small blue mat.",
  "All our wood comes from certified forests in Austria and Slovenia.",
  "You can try every chair in the showroom, and the coffee is on us.",
  "The Rowan table is a hundred and twenty centimetres long.",
  "We call you half an hour before we arrive at your home.",
];

/** The mouth region of a 512 × 512 picture, as placed by character format 1, and the raster for the comparison. */
const region = { x: 215, y: 287, width: 82, height: 51, columns: 48, rows: 32 };

/** How much the mouth differs from its rest, every 10 ms, when the server's puppet draws this speech. */
function expectedMouth(speech: TtsResponse, lengthMs: number): Series {
  const character = parseCharacter(JSON.parse(readFileSync("public/characters/mina.json", "utf8")));
  const environment = {
    Path2D: Path2D as never,
    createCanvas: (width: number, height: number) => createCanvas(width, height) as never,
  };
  const renderer = createPuppetRenderer(character, environment, { size: 512 });
  const behaviour = createPuppetBehaviour(character, { seed: 1, reducedMotion: true });
  const patch = createCanvas(region.columns, region.rows).getContext("2d");
  const pixelsAt = (nowMs: number): Uint8ClampedArray => {
    const picture = renderer.draw(behaviour.step(nowMs));
    patch.clearRect(0, 0, region.columns, region.rows);
    patch.drawImage(
      picture,
      region.x,
      region.y,
      region.width,
      region.height,
      0,
      0,
      region.columns,
      region.rows,
    );
    return patch.getImageData(0, 0, region.columns, region.rows).data;
  };
  const rest = pixelsAt(1_000);
  behaviour.setActivity("speaking");
  behaviour.speak({ visemes: speech.visemes, words: speech.words }, 2_000);
  const series: Series = { timesMs: [], values: [] };
  for (let timeMs = -200; timeMs < lengthMs + 200; timeMs += 10) {
    series.timesMs.push(timeMs);
    series.values.push(distance(pixelsAt(2_000 + timeMs), rest));
  }
  return series;
}

function distance(pixels: Uint8ClampedArray, rest: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 4) sum += Math.abs(pixels[i]! - rest[i]!);
  return sum / (pixels.length / 4);
}

/** Loudness of a base64 WAV file (16-bit mono), every 5 ms. */
function expectedLoudness(base64: string): Series {
  const bytes = Buffer.from(base64, "base64");
  const rate = bytes.readUInt32LE(24);
  const samples = new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
  const step = Math.round(rate / 200);
  const series: Series = { timesMs: [], values: [] };
  for (let start = 0; start + step <= samples.length; start += step) {
    let sum = 0;
    for (let i = start; i < start + step; i++) sum += (samples[i]! / 32_768) ** 2;
    series.timesMs.push(((start + step / 2) * 1_000) / rate);
    series.values.push(Math.sqrt(sum / step));
  }
  return series;
}

function valueAt({ timesMs, values }: Series, timeMs: number): number {
  if (timeMs <= timesMs[0]! || timeMs >= timesMs.at(-1)!) return 0;
  const pace = (timesMs.at(-1)! - timesMs[0]!) / (timesMs.length - 1);
  const place = (timeMs - timesMs[0]!) / pace;
  const index = Math.floor(place);
  return (
    values[index]! + (values[Math.min(values.length - 1, index + 1)]! - values[index]!) * (place - index)
  );
}

/** The delay in ms at which the measured signal correlates best with the expected one; NaN if none correlates enough. */
function delayOf(measured: Series, expected: Series, from: number, to: number): number {
  let best = { delay: Number.NaN, fit: 0.5 };
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const a = mean(measured.values);
  for (let delay = from; delay <= to; delay += 2) {
    const shifted = measured.timesMs.map((time) => valueAt(expected, time - delay));
    const b = mean(shifted);
    let [ab, aa, bb] = [0, 0, 0];
    measured.values.forEach((value, index) => {
      ab += (value - a) * (shifted[index]! - b);
      aa += (value - a) ** 2;
      bb += (shifted[index]! - b) ** 2;
    });
    const fit = ab / Math.sqrt(aa * bb || 1);
    if (fit > best.fit) best = { delay, fit };
  }
  return best.delay;
}

interface Recording {
  sound: Series;
  mouth: Series;
}

/** Lets the avatar in the page say a text, and records loudness and mouth until the end; times count from the call. */
async function record(page: Page, text: string, lengthMs: number): Promise<Recording> {
  return page.evaluate(
    async ([message, duration, patch]) => {
      const element = document.querySelector("visavis-avatar") as HTMLElement & { say(text: string): void };
      const video = element.shadowRoot!.querySelector("video")!;
      const audio = new AudioContext({ latencyHint: "interactive" });
      await audio.resume();
      const analyser = audio.createAnalyser();
      analyser.fftSize = 256;
      audio.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
      const wave = new Float32Array(analyser.fftSize);
      const canvas = new OffscreenCanvas(patch.columns, patch.rows).getContext("2d", {
        willReadFrequently: true,
      })!;
      const mouth = { timesMs: [] as number[], values: [] as number[] };
      const sound = { timesMs: [] as number[], values: [] as number[] };
      let rest: Uint8ClampedArray | undefined;
      let open = true;
      const began = performance.now();
      const onFrame = (_now: number, metadata: VideoFrameCallbackMetadata): void => {
        const unit = video.videoWidth / 512;
        canvas.drawImage(
          video,
          patch.x * unit,
          patch.y * unit,
          patch.width * unit,
          patch.height * unit,
          0,
          0,
          patch.columns,
          patch.rows,
        );
        const { data } = canvas.getImageData(0, 0, patch.columns, patch.rows);
        rest ??= data;
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) sum += Math.abs(data[i]! - rest[i]!);
        mouth.timesMs.push(metadata.expectedDisplayTime - began);
        mouth.values.push(sum / (data.length / 4));
        if (open) video.requestVideoFrameCallback(onFrame);
      };
      video.requestVideoFrameCallback(onFrame);
      await new Promise((resolve) => setTimeout(resolve, 150));
      element.say(message);
      const end = performance.now() + duration;
      while (performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        analyser.getFloatTimeDomainData(wave);
        // The middle of the analysed window is half a window before the time of reading.
        sound.timesMs.push(performance.now() - began - (wave.length / 2 / audio.sampleRate) * 1_000);
        sound.values.push(Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / wave.length));
      }
      open = false;
      await audio.close();
      return { sound, mouth };
    },
    [text, lengthMs, region] as const,
  );
}

function slice({ timesMs, values }: Series, from: number, to: number): Series {
  const kept = timesMs.flatMap((time, index) => (time >= from && time < to ? [index] : []));
  return { timesMs: kept.map((index) => timesMs[index]!), values: kept.map((index) => values[index]!) };
}

/** Offset of lips against voice as a visitor receives them; positive if the lips are late. */
export async function benchLips(): Promise<Table[]> {
  const stage = await openBenchStage();
  try {
    const page = await stage.newPage();
    await page.emulateMedia({ reducedMotion: "reduce" });
    const session = await openAvatar(page, stage.site.origin);
    await untilSpoken(page);
    const whole: number[] = [];
    const windows: number[] = [];
    for (const text of texts) {
      const answer = await fetch(`${stage.server.origin}/api/v1/session/${session}/tts/`, {
        method: "POST",
        headers: { "content-type": "application/json", "ServicePlatform-APIKey": canaryKey },
        body: JSON.stringify({ text }),
      });
      const speech = (await answer.json()) as TtsResponse;
      const loudness = expectedLoudness(speech.audio);
      const lengthMs = loudness.timesMs.at(-1) ?? 0;
      const expected = expectedMouth(speech, lengthMs);
      const recording = await record(page, text, lengthMs + 1_200);
      const heard = delayOf(recording.sound, loudness, 0, 1_200);
      const shown = delayOf(recording.mouth, expected, 0, 1_200);
      if (Number.isFinite(heard) && Number.isFinite(shown)) whole.push(shown - heard);
      for (let from = heard; from + 1_200 <= heard + lengthMs; from += 400) {
        const window = delayOf(
          slice(recording.mouth, from, from + 1_200),
          expected,
          heard - 150,
          heard + 150,
        );
        if (Number.isFinite(window)) windows.push(window - heard);
      }
    }
    const row = (name: string, values: number[]) => ({
      name,
      columns: {
        n: values.length,
        median: short(percentile(values, 50)),
        "2.5 %": short(percentile(values, 2.5)),
        "97.5 %": short(percentile(values, 97.5)),
      },
    });
    return [
      {
        title:
          "Lips against voice at the receiver, ms (|median| at most 20, 95 % within ±45; positive: lips late)",
        rows: [row("whole utterances", whole), row("windows of 1.2 s", windows)],
      },
    ];
  } finally {
    await stage.close();
  }
}
