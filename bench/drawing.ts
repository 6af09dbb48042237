/**
 * `tsx bench/drawing.ts`: what drawing an avatar costs in the browser.
 *
 * - `--against <commit>`: measures that state of the source in turn with this one.
 * - `--frames 768@2,1080@2`: the avatar's frame in CSS pixels, and the screen's pixels for each.
 * - `--characters mina,photograph`: only these.
 * - `--gpu`: draws with the machine's GPU.
 * - `--write <folder>`: measures nothing, but writes what another machine needs: `node <folder>/drawing.mjs` has the same options.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { systemChromium } from "../e2e/support/system-chromium.ts";
import {
  measureDrawing,
  type DrawingState,
  type DrawnCharacter,
  type DrawnFrame,
} from "./drawing/measure-drawing.ts";
import { formatTable, type Table } from "./table.ts";

/** Beside a written script lies what it needs. */
const written = join(import.meta.dirname, "states.json");
const isWritten = existsSync(written);

const characters: readonly DrawnCharacter[] = [
  ...["mina", "tomas", "amara", "ingrid"].map((name) => ({ name, file: `public/characters/${name}.json` })),
  { name: "photograph", file: "test/photo/mina.json" },
].map(({ name, file }) => ({
  name,
  file: isWritten
    ? join(import.meta.dirname, `${name}.json`)
    : new URL(`../${file}`, import.meta.url).pathname,
}));

const gpuArgs = [
  ...["--enable-gpu", "--ignore-gpu-blocklist", "--use-gl=angle", "--use-angle=vulkan"],
  ...["--enable-features=Vulkan", "--disable-vulkan-surface", "--enable-gpu-rasterization"],
];

function launchOptions(gpu: boolean) {
  return {
    ...(systemChromium && { executablePath: systemChromium }),
    args: ["--no-sandbox", ...(gpu ? gpuArgs : ["--disable-gpu"])],
    ...(gpu && { ignoreDefaultArgs: ["--disable-gpu", "--use-angle=swiftshader-webgl"] }),
  };
}

async function statesOf(commit: string | undefined): Promise<DrawingState[]> {
  if (isWritten) return JSON.parse(readFileSync(written, "utf8")) as DrawingState[];
  const { buildStates } = await import("./drawing/build-drawing.ts");
  return buildStates(commit);
}

async function write(folder: string, states: readonly DrawingState[]): Promise<void> {
  const { buildMeasure } = await import("./drawing/build-drawing.ts");
  mkdirSync(folder, { recursive: true });
  await buildMeasure(folder);
  writeFileSync(join(folder, "states.json"), JSON.stringify(states));
  for (const { name, file } of characters) copyFileSync(file, join(folder, `${name}.json`));
}

function framesOf(text: string): DrawnFrame[] {
  return text.split(",").map((frame) => {
    const [px, density] = frame.split("@").map(Number);
    if (!px || !density) throw new Error(`A frame is as 768@2, not ${frame}.`);
    return { px, density };
  });
}

/** What each character costs in this machine's browser, drawn by its processor. */
export async function benchDrawing(args: readonly string[] = []): Promise<Table[]> {
  const { values: options } = parseArgs({
    args: [...args],
    options: {
      against: { type: "string" },
      frames: { type: "string", default: "424@1,768@2" },
      characters: { type: "string", default: characters.map(({ name }) => name).join() },
      gpu: { type: "boolean", default: false },
      write: { type: "string" },
    },
  });
  const states = await statesOf(options.against);
  if (options.write !== undefined) {
    await write(options.write, states);
    return [];
  }
  const asked = options.characters.split(",");
  const drawn = characters.filter(({ name }) => asked.includes(name));
  return [await measureDrawing(launchOptions(options.gpu), states, drawn, framesOf(options.frames))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const table of await benchDrawing(process.argv.slice(2))) console.log(formatTable(table));
