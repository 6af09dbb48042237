import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseCharacter, type Character } from "../src/puppet/index.ts";
import { measureMotion } from "./face/motion-measures.ts";
import { photographedTable } from "./face/photographed.ts";
import { seeMotion } from "./face/rendered-stretches.ts";
import { playScene, type SceneName } from "./face/scenes.ts";
import { formatTable, short, type Row, type Table } from "./table.ts";

const characters = ["mina", "tomas", "amara", "ingrid"];
const scenes: readonly SceneName[] = ["idle", "listening", "speaking"];

function measure(scene: SceneName, character: Character): Row {
  const frames = playScene(scene, character);
  const motion = measureMotion(frames, character);
  const seen = seeMotion(frames, character);
  return {
    name: `${character.name} ${scene}`,
    columns: {
      "blinks a minute": short(motion.blinksPerMinute),
      "head RMS °": Math.round(motion.headRmsDeg * 100) / 100,
      "gaze on the visitor %": Math.round(motion.gazeOnVisitor * 100),
      "saccades a minute": Math.round(motion.saccadesPerMinute),
      brows: Math.round(motion.browMotion * 100) / 100,
      "longest still ms": seen.longestStillMs,
      "most alike 2 s": Math.round(seen.leastDifference * 100) / 100,
      "draw ms": Math.round(seen.drawMs * 100) / 100,
    },
  };
}

/** `npm run bench face` measures all of them; `tsx bench/face.ts mina` one. */
const asked = characters.filter((name) => process.argv.includes(name));

/** The motion of each character's face in a minute of each scene, from its poses and from the frames as they are drawn; and what a photographed one costs. */
export async function benchFace(): Promise<Table[]> {
  const rows = (asked.length > 0 ? asked : characters).flatMap((name) => {
    const file = new URL(`../public/characters/${name}.json`, import.meta.url);
    const character = parseCharacter(JSON.parse(readFileSync(file, "utf8")));
    return scenes.map((scene) => measure(scene, character));
  });
  const title = "A minute of each scene, 25 frames a second, drawn at 432 x 432";
  return [{ title, rows }, await photographedTable()];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const table of await benchFace()) console.log(formatTable(table));
