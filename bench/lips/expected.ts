import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import type { TtsResponse } from "../../src/protocol/speech/speech.ts";
import { createPuppetBehaviour, createPuppetRenderer, parseCharacter } from "../../src/puppet/index.ts";
import type { Series } from "./series.ts";

/** The mouth region of a 512 × 512 picture, as placed by character format 1, and the raster for the comparison. */
export const region = { x: 215, y: 287, width: 82, height: 51, columns: 48, rows: 32 };

/** How much the mouth differs from its rest, every 10 ms, when the server's puppet draws this speech. */
export function expectedMouth(speech: TtsResponse, lengthMs: number): Series {
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
export function expectedLoudness(base64: string): Series {
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
