import { readFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { pause } from "../media-stage.ts";
import { short, type Row } from "../table.ts";
import { profileFile, profilesFolder } from "./profile-file.ts";

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

type Profile = z.infer<typeof profileSchema>;

/** What the work below a function is called. The innermost of these functions counts. */
const parts: Readonly<Record<string, string>> = {
  step: "behaviour",
  hold: "behaviour",
  update: "placing layers",
  "#drawAnew": "drawing layers",
  paint: "composing",
  compose: "composing",
  "#split": "splitting into planes",
  pixelsOf: "rasterizing",
  toI420: "RGBA to YUV",
  pack: "packing",
  put: "packing",
  "#showPicture": "to the encoder",
  "#sendAudio": "sound",
  "(garbage collector)": "garbage collection",
  "(idle)": "idle",
  "(program)": "native, not named",
};

/** Profiles the main thread of a media process for so long. Returns the share of each part of its work in the time without waiting. */
export async function profiledRow(name: string, pid: number, ms: number): Promise<Row> {
  const path = join(profilesFolder(), profileFile(pid));
  process.kill(pid, "SIGUSR2");
  await pause(ms);
  process.kill(pid, "SIGUSR2");
  while (!existsSync(path)) await pause(50);
  const profile = profileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  rmSync(path);
  const times = timesOf(profile);
  times.delete("idle");
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const shares = [...times]
    .sort(([, a], [, b]) => b - a)
    .map(([part, ms]) => [part, short((100 * ms) / total)]);
  return { name, columns: { "ms a second": short(total / (ms / 1_000)), ...Object.fromEntries(shares) } };
}

/** The time of each part, in ms. */
function timesOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const partOf = (id: number | undefined): string => {
    if (id === undefined) return "the rest";
    return parts[names.get(id) ?? ""] ?? partOf(parents.get(id));
  };
  const known = new Map(nodes.map(({ id }) => [id, partOf(id)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const part = known.get(id) ?? "the rest";
    // A sample stands for the time until the next one.
    times.set(part, (times.get(part) ?? 0) + (timeDeltas[index + 1] ?? 0) / 1_000);
  });
  return times;
}
