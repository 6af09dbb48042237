import { readFileSync } from "node:fs";
import { createPhotoFace, photoMotion } from "../../src/photo/index.ts";
import { photoCharacterSchema } from "../../src/protocol/characters/photo-character.ts";
import type { PuppetParams } from "../../src/puppet/index.ts";
import { PhotoDrawing } from "../../src/service/media/photo/photo-drawing.ts";
import type { Row, Table } from "../table.ts";
import { frameMs, playScene } from "./scenes.ts";

/** The sides of the pictures in pixels. */
const sides = [384, 432] as const;
/** Every so many frames of the scene are drawn: neighbours cost the same. */
const every = 3;

/** The median time of a frame in ms, of processor time: on a busy machine, time that passes says little. */
function medianMs(poses: readonly PuppetParams[], draw: (params: PuppetParams) => void): number {
  const took = poses.map((params) => {
    const before = process.cpuUsage();
    draw(params);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  // The first ones are compiled while they run.
  return took.slice(50).sort((a, b) => a - b)[Math.floor((took.length - 50) / 2)] ?? 0;
}

function rowOf(name: string, ms: number): Row {
  return {
    name,
    columns: {
      "ms a frame": Math.round(ms * 100) / 100,
      "frames a second": Math.round(1_000 / ms),
      "sessions a core": Math.floor(10 * (frameMs / ms)) / 10,
    },
  };
}

/** What a character from a photograph costs: on a server that draws it, and in a browser where the GPU does. */
export async function photographedTable(): Promise<Table> {
  const file = new URL("../../test/photo/mina.json", import.meta.url);
  const character = photoCharacterSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const poses = playScene("speaking", photoMotion)
    .filter((_, index) => index % every === 0)
    .map(({ params }) => params);
  const rows: Row[] = [];
  for (const side of sides) {
    const drawing = await PhotoDrawing.load(character, side);
    const words = new Uint32Array(side * side);
    rows.push(
      rowOf(
        `drawn at ${side} x ${side}`,
        medianMs(poses, (params) => drawing.draw(params, words)),
      ),
    );
  }
  const face = createPhotoFace(character);
  rows.push(
    rowOf(
      "posed alone: a GPU draws",
      medianMs(poses, (params) => face.pose(params)),
    ),
  );
  return { title: "A face from a photograph, speaking", rows };
}
