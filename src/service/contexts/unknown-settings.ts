import { closestMatch } from "leven";
import * as z from "zod/mini";
import { embedConfigSchema } from "../../protocol/settings/embed-config.ts";
import { embedContextPutSchema } from "../../protocol/settings/embed-context.ts";
import type { WireError } from "../../protocol/schema/error-body.ts";
import { isPlainObject } from "../plain-object.ts";

/** The known keys by group; the group "" holds those of `embed_config` itself. */
const knownKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["", Object.keys(embedConfigSchema.shape)],
  ...Object.entries<z.core.$ZodType>(embedConfigSchema.shape).flatMap(([group, schema]) => {
    const inner = schema instanceof z.ZodMiniOptional ? schema._zod.def.innerType : schema;
    return inner instanceof z.ZodMiniObject ? [[group, Object.keys(inner.shape)] as const] : [];
  }),
]);

const groups = [...knownKeys.keys()].filter(Boolean);

/** Keys that owners may use for data of their own, in every object of `embed_config`. */
const isOwnKey = (key: string): boolean => key.startsWith("x_");

/** `allowedOrigins` and `Allowed-Origins` as `allowed_origins`. */
const snakeCase = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();

/** At most one wrong letter in four: a longer distance would match words that mean something else. */
function misspelled(key: string, candidates: readonly string[]): string | undefined {
  const maxDistance = Math.floor(key.length / 4);
  return maxDistance > 0 ? closestMatch(key, candidates, { maxDistance }) : undefined;
}

/** The setting that a word of the key names: `color` for `brand_color`. */
function namedByWord(key: string, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => candidate.split("_").includes(key));
}

/** Where a key of another group belongs, as a path below `embed_config`. */
function ofAnotherGroup(key: string, group: string): string | undefined {
  const [other, keys] = [...knownKeys].find(([name, names]) => name !== group && names.includes(key)) ?? [];
  if (keys === undefined) return undefined;
  return other === "" ? `embed_config.${key}` : `${other ?? ""}.${key}`;
}

/** The setting that an unknown key was probably meant to be, or undefined if it resembles none. */
function meant(unknown: string, group: string): string | undefined {
  const key = snakeCase(unknown);
  const known = knownKeys.get(group) ?? [];
  if (known.includes(key)) return key;
  const elsewhere = ofAnotherGroup(key, group) ?? misspelled(key, known);
  if (elsewhere !== undefined || group === "") return elsewhere;
  return namedByWord(key, known);
}

function fault(group: string, key: string): WireError {
  const suggestion = meant(key, group);
  const place = group === "" ? "embed_config" : group;
  const remedy =
    suggestion === undefined
      ? `It has ${(knownKeys.get(group) ?? []).join(", ")}.`
      : `Did you mean "${suggestion}"?`;
  return {
    code: "invalid",
    detail: `${place} has no setting "${key}". ${remedy} Begin the names of your own data with x_.`,
    attr: ["embed_config", group, key].filter(Boolean).join("."),
  };
}

const fieldNames = Object.keys(embedContextPutSchema.shape);

/** Where a name that is no field of a context belongs: the field or the setting that was probably meant. */
function meantField(name: string): string | undefined {
  const key = snakeCase(name);
  if (fieldNames.includes(key)) return key;
  const setting = ofAnotherGroup(key, "context");
  if (setting === undefined) return misspelled(key, fieldNames);
  return setting.startsWith("embed_config.") ? setting : `embed_config.${setting}`;
}

/** One error for each name that is no field of a context. */
export function unknownFieldFaults(names: readonly string[]): WireError[] {
  const unknown = names.filter((name) => !fieldNames.includes(name));
  return unknown.map((attr) => {
    const field = meantField(attr);
    const remedy =
      field === undefined ? `A context has ${fieldNames.join(", ")}.` : `Did you mean "${field}"?`;
    return { code: "invalid", detail: `There is no such field. ${remedy}`, attr };
  });
}

/** One error for each key of an `embed_config` that is no setting and does not begin with `x_`: it has no effect. */
export function unknownSettingFaults(config: object): WireError[] {
  const unknownIn = (group: string, value: unknown): string[] =>
    Object.keys(isPlainObject(value) ? value : {}).filter(
      (key) => !isOwnKey(key) && !(knownKeys.get(group) ?? []).includes(key),
    );
  const values: Readonly<Record<string, unknown>> = { ...config };
  return ["", ...groups].flatMap((group) =>
    unknownIn(group, group === "" ? config : values[group]).map((key) => fault(group, key)),
  );
}
