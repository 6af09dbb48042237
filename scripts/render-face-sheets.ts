import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import { spokenMs, spokenText } from "../bench/face/spoken-text.ts";
import { createPuppetBehaviour, createRig, parseCharacter } from "../src/puppet/index.ts";
import type { Behaviour, Character, PuppetParams, Rig } from "../src/puppet/index.ts";

/** Draws the contact sheets of the docs: what each character does in five scenes, with the time of each frame. */

const characters = ["mina", "tomas", "amara", "ingrid"];
const columns = 6;
const cellPx = 168;
const labelPx = 20;
const quality = 74;

/** A scene: what happens, and the times of its frames. */
interface Scene {
  readonly title: string;
  readonly begin: (behaviour: Behaviour) => void;
  readonly everyMs: number;
  readonly fromMs: number;
}

function speaking(text: string): (behaviour: Behaviour) => void {
  return (behaviour) => behaviour.speak(spokenText(text), 1000);
}

const greeting = "Hello and welcome! It is wonderful to meet you. How can I help?";
const badNews =
  "I am sorry, but this jacket is sold out. Unfortunately there will be no more of them this year.";
const answer =
  "You can change your order until it leaves our warehouse, which is usually on the next working day after you have paid.";

function across(text: string): number {
  return Math.floor(spokenMs(spokenText(text)) / columns);
}

const scenes: readonly Scene[] = [
  { title: "idle", begin: () => undefined, fromMs: 4000, everyMs: 4200 },
  {
    title: "listening",
    begin: (behaviour) => behaviour.setActivity("listening"),
    fromMs: 3000,
    everyMs: 2280,
  },
  { title: "thinking", begin: (behaviour) => behaviour.setActivity("thinking"), fromMs: 1200, everyMs: 900 },
  { title: "speaking", begin: speaking(answer), fromMs: 1100, everyMs: across(answer) },
  { title: "greeting", begin: speaking(greeting), fromMs: 1100, everyMs: across(greeting) },
  { title: "bad news", begin: speaking(badNews), fromMs: 1400, everyMs: across(badNews) },
];

/** The poses of a scene at the times of its frames. */
function posesOf(scene: Scene, character: Character): { ms: number; params: PuppetParams }[] {
  const behaviour = createPuppetBehaviour(character, { seed: 5 });
  scene.begin(behaviour);
  const shown: { ms: number; params: PuppetParams }[] = [];
  for (let ms = 0; shown.length < columns; ms += 20) {
    const params = behaviour.step(ms);
    if (ms >= scene.fromMs + shown.length * scene.everyMs) shown.push({ ms, params });
  }
  return shown;
}

function drawCell(
  ctx: SKRSContext2D,
  rig: Rig,
  params: PuppetParams,
  label: string,
  at: { x: number; y: number },
): void {
  // Shadows in the characters ignore every transform but a scale, so each cell has a canvas of its own.
  const cell = createCanvas(cellPx * 2, cellPx * 2);
  rig.draw(cell.getContext("2d"), params, { scale: (cellPx * 2) / 512 });
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(cell, at.x, at.y, cellPx, cellPx);
  ctx.fillStyle = "#30343a";
  ctx.font = "12px sans-serif";
  ctx.fillText(label, at.x + 6, at.y + cellPx + 14);
}

async function drawSheet(name: string): Promise<void> {
  const file = new URL(`../public/characters/${name}.json`, import.meta.url);
  const character = parseCharacter(JSON.parse(readFileSync(file, "utf8")));
  const rig = createRig(character, { Path2D });
  const sheet = createCanvas(columns * cellPx, scenes.length * (cellPx + labelPx));
  const ctx = sheet.getContext("2d");
  ctx.fillStyle = "#edf0f4";
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  scenes.forEach((scene, row) =>
    posesOf(scene, character).forEach(({ ms, params }, column) =>
      drawCell(ctx, rig, params, `${scene.title} ${(ms / 1000).toFixed(1)} s`, {
        x: column * cellPx,
        y: row * (cellPx + labelPx),
      }),
    ),
  );
  const bytes = await sheet.encode("webp", quality);
  writeFileSync(new URL(`../docs/faces/${name}.webp`, import.meta.url), bytes);
  console.log(`docs/faces/${name}.webp ${bytes.length} bytes`);
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : characters) await drawSheet(name);
