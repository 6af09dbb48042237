import { embedConfigSchema, type EmbedConfig } from "./embed-config.ts";

/** A key of a value inside a configuration, and what was found there. */
type Path = readonly PropertyKey[];

/** A copy without the value at a path. Entries of lists are only emptied, so that the places of others stay. */
function without(value: unknown, [key, ...rest]: Path): unknown {
  if (Array.isArray(value))
    return value.map((entry: unknown, place) =>
      place === key ? (rest.length === 0 ? undefined : without(entry, rest)) : entry,
    );
  if (typeof value !== "object" || value === null || key === undefined) return value;
  const { [String(key)]: inner, ...others }: Record<string, unknown> = { ...value };
  return rest.length === 0 ? others : { ...others, [String(key)]: without(inner, rest) };
}

/** A copy whose lists have lost the entries that were emptied. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined).map(withoutHoles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHoles(inner)]));
}

/**
 * What an `embed_config` says. The interface allows any JSON in it: settings that are not valid have no effect, and neither has
 * what is no object. An origin that is not valid admits nobody, so nothing is allowed by mistake.
 */
export function readConfig(given: unknown): EmbedConfig {
  let value = given;
  // Without its wrong entries a list can still be too long, so a second look may find more.
  for (let look = 0; look < 3; look += 1) {
    const parsed = embedConfigSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    if (issues.some(({ path }) => path.length === 0)) return {};
    value = withoutHoles(issues.reduce<unknown>((rest, { path }) => without(rest, path), value));
  }
  return {};
}
