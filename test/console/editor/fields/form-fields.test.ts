import { describe, expect, test } from "vitest";
import { fieldAt, fields, tabOf } from "../../../../src/console/editor/fields/form-fields.ts";
import { editor } from "../../../../src/console/texts/en/editor.ts";
import {
  embedConfigSchema,
  stageConfigSchema,
  uiConfigSchema,
} from "../../../../src/protocol/settings/embed-config.ts";
import { embedContextPutSchema } from "../../../../src/protocol/settings/embed-context.ts";
import { turnSettingsSchema } from "../../../../src/protocol/settings/turn-settings.ts";

const below = (prefix: string, schema: { shape: object }): string[] =>
  Object.keys(schema.shape).map((key) => prefix + key);

const groups = ["ui", "voice", "stage", "limits", "analytics"];

const settings = [
  ...below("", embedContextPutSchema).filter((key) => key !== "embed_config"),
  ...below("embed_config.", embedConfigSchema).filter((path) => !groups.includes(path.split(".")[1]!)),
  ...below("embed_config.ui.", uiConfigSchema),
  ...below("embed_config.stage.", stageConfigSchema),
  ...below("embed_config.voice.", turnSettingsSchema),
  ...["rate", "pitch"].map((key) => `embed_config.voice.${key}`),
  ...below("embed_config.limits.", embedConfigSchema.shape.limits._zod.def.innerType),
  "embed_config.analytics.data_layer",
];

describe("the editor's fields", () => {
  test("are all settings of an avatar, each once", () => {
    expect(fields.map(({ path }) => path).sort()).toEqual([...settings].sort());
  });

  test("have words", () => {
    expect(fields.map(({ path }) => path).filter((path) => !(path in editor.fields))).toEqual([]);
  });

  test("are found by the path of a part of their value", () => {
    expect(fieldAt("embed_config.ui.texts.launcher")?.path).toBe("embed_config.ui.texts");
    expect(tabOf("embed_config.voice.rate")).toBe("voice");
    expect(tabOf("embed_config.x_team")).toBeUndefined();
  });
});
