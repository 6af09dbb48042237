/**
 * `npm run bench [name…] [-- --json]`: runs the benchmarks against the build and prints their tables. `start -- --rtt 80`: the start
 * behind a link with so many ms of round trip.
 */
import { parseArgs } from "node:util";
import { benchAnswer } from "./answer.ts";
import { benchAttacks } from "./attacks.ts";
import { benchConversations } from "./conversations.ts";
import { benchDrawing } from "./drawing.ts";
import { benchEditor } from "./editor.ts";
import { benchFace } from "./face.ts";
import { benchHostile } from "./hostile.ts";
import { benchLips } from "./lips/lips.ts";
import { benchMedia } from "./media.ts";
import { benchFrames, benchMounts, benchPage } from "./page.ts";
import { benchPuppet } from "./puppet.ts";
import { benchReturn } from "./return.ts";
import { benchScale } from "./scale.ts";
import { benchService } from "./service.ts";
import { benchSpeech } from "./speech.ts";
import { benchStartLegs } from "./start-legs.ts";
import { benchStart } from "./start.ts";
import { formatTable, type Table } from "./table.ts";
import { benchVoice } from "./voice.ts";

const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, rtt: { type: "string" } },
});

const benchmarks: Record<string, () => Promise<Table[]>> = {
  start: () => (options.rtt === undefined ? benchStart() : benchStartLegs(Number(options.rtt))),
  answer: () => benchAnswer(),
  lips: benchLips,
  media: benchMedia,
  scale: benchScale,
  page: benchPage,
  frames: benchFrames,
  mounts: benchMounts,
  return: benchReturn,
  service: benchService,
  conversations: benchConversations,
  speech: benchSpeech,
  puppet: benchPuppet,
  drawing: () => benchDrawing(),
  face: benchFace,
  voice: benchVoice,
  editor: benchEditor,
  attacks: () => benchAttacks(),
  hostile: benchHostile,
};

const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0)
  throw new Error(
    `There is no benchmark ${unknown.join(", ")}; the benchmarks are ${Object.keys(benchmarks).join(", ")}.`,
  );

const tables: Table[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const fresh = await run();
  tables.push(...fresh);
  if (!options.json) for (const table of fresh) console.log(formatTable(table));
}
if (options.json) console.log(JSON.stringify(tables, null, 2));
process.exit(0);
