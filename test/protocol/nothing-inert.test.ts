import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { elementContract } from "../../src/protocol/page/element-contract.ts";
import { embedConfigSchema } from "../../src/protocol/settings/embed-config.ts";
import { effects, withoutEffectYet } from "./effects.ts";

/** The paths of all settings below a schema. A list or a record is one setting. */
function settingsOf(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodMiniOptional) return settingsOf(schema._zod.def.innerType, path);
  if (!(schema instanceof z.ZodMiniObject)) return [path];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, inner]) =>
    settingsOf(inner, `${path}.${key}`),
  );
}

const { attributes, properties, methods, events } = elementContract;
const prefixed = (kind: string, entries: object) => Object.keys(entries).map((name) => `${kind} ${name}`);

const all = [
  ...settingsOf(embedConfigSchema, "embed_config"),
  ...prefixed("attribute", attributes),
  ...prefixed("property", properties),
  ...prefixed("method", methods),
  ...prefixed("event", events),
];

test("every setting, attribute, property, method and event has a test of its effect, or is listed as without one", () => {
  expect([...Object.keys(effects), ...Object.keys(withoutEffectYet)].sort()).toEqual([...all].sort());
});

test.each(Object.entries(effects))("the test that shows the effect of %s exists", (_, [file, title]) => {
  expect(existsSync(file), `${file} is not there`).toBe(true);
  expect(readFileSync(file, "utf8"), `${file} has no test "${title}"`).toContain(title);
});
