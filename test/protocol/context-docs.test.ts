import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import { contextPictures } from "../../scripts/pictures/context-pictures.ts";
import { embedConfigSchema, type EmbedConfig } from "../../src/protocol/settings/embed-config.ts";
import { embedContextPutSchema } from "../../src/protocol/settings/embed-context.ts";
import { recognizerOf } from "../../src/protocol/settings/voice-settings.ts";
import { toLauncherRecord, toPublicContext } from "../../src/relay/contexts/public-context.ts";
import { defaultEngineBudgets } from "../../src/service/service-settings.ts";
import { unknownSettingFaults } from "../../src/service/contexts/unknown-settings.ts";

const page = readFileSync(new URL("../../docs/context.md", import.meta.url), "utf8");
const settings = page.slice(page.indexOf("## embed_config"), page.indexOf("## A whole example"));

/** An entry of the page's lists: key, example and default as they are written. */
const rows = [...settings.matchAll(/^- `([a-z_.]+)` `(.*?)` \((.*?)\): (.+)$/gm)].map(
  ([, key = "", example = "", standard = "", meaning = ""]) => ({ key, standard, example, meaning }),
);

function keysOf(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodMiniOptional) return keysOf(schema._zod.def.innerType, path);
  if (!(schema instanceof z.ZodMiniObject)) return [path];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, inner]) =>
    keysOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

/** The settings with one value in its place. */
function configWith(key: string, json: string): EmbedConfig {
  const value: unknown = JSON.parse(json);
  const [group = "", name] = key.split(".");
  const parsed = embedConfigSchema.safeParse(
    name === undefined ? { [group]: value } : { [group]: { [name]: value } },
  );
  if (!parsed.success) throw new Error(`${key} cannot be ${json}.`);
  return parsed.data;
}

/** What browsers are told of a context. */
function answersOf(config: EmbedConfig): unknown {
  const context = {
    id: "1",
    context_id: "ctx_test",
    name: "Shop",
    tts_type: "voice",
    model_style: "mina",
    greeting: "",
    instructions: "",
    background_image: null,
    max_session_sec: 0,
    is_active: true,
    embed_config: config,
    created_at: "",
    updated_at: "",
  };
  const style = {
    name: "mina",
    title: "Mina",
    matte: "packed-alpha",
    isOpaque: false,
    poster: null,
    porthole: null,
    character: null,
  };
  const address = (path: string) => path;
  const parts = { style, background: null, direct: true, recognizer: recognizerOf(config), address };
  const { ui: _ui, ...view } = toPublicContext(context, parts);
  return [
    view,
    toLauncherRecord(context, {
      style,
      still: null,
      widget: "/w.js",
      pageLanguage: "",
      inWriting: false,
      hasPeers: true,
      recognizer: recognizerOf(config),
      pageVariant: undefined,
      address,
    }),
  ];
}

test("the page has one row for each setting, and no other", () => {
  expect(rows.map(({ key }) => key).sort()).toEqual(keysOf(embedConfigSchema, "").sort());
});

test.each(rows)("$key has a valid example and a meaning", ({ key, example, meaning }) => {
  expect(unknownSettingFaults(configWith(key, example))).toEqual([]);
  expect(meaning).not.toBe("");
});

test.each(rows.filter(({ standard }) => standard.startsWith("`")))(
  "$key is $standard where it is not set",
  ({ key, standard }) => {
    const value = standard.slice(1, -1);
    if (key === "limits.turns_per_day" || key === "limits.characters_per_day") {
      const { turnsPerDay, charactersPerDay } = defaultEngineBudgets.context;
      expect(Number(value)).toBe(key === "limits.turns_per_day" ? turnsPerDay : charactersPerDay);
    } else expect(answersOf(configWith(key, value))).toEqual(answersOf({}));
  },
);

test("the whole example can be saved", () => {
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "") as unknown;
  const parsed = embedContextPutSchema.safeParse(example);
  expect(parsed.success).toBe(true);
  expect(unknownSettingFaults(parsed.data?.embed_config ?? {})).toEqual([]);
});

test("the page shows each picture that its script takes, and no other", () => {
  const shown = [...page.matchAll(/\(pictures\/(.*?)\)/g)].map(([, file]) => file);
  const taken = contextPictures.map(({ key }) => `${key}.webp`);
  expect(shown.sort()).toEqual(taken.sort());
  // The pictures of the console are shown on its own page.
  const files = readdirSync(new URL("../../docs/pictures", import.meta.url)).sort();
  expect(files.filter((file) => !file.startsWith("console-"))).toEqual(taken);
});
