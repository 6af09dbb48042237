import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { pageTextLoaders } from "../../src/console/texts/page-texts.ts";

const folder = "src/console";
const parts = new Set(Object.keys(pageTextLoaders.en));

/** The pages that the routes name, with the parts of the texts that are loaded with them. */
function routedPages(): [path: string, loaded: string[]][] {
  const source = readFileSync(join(folder, "routes.ts"), "utf8");
  return [...source.matchAll(/texts: \[([^\]]*)\],\s*load: async \(\) => \(await import\("([^"]+)"\)/g)].map(
    ([, list = "", path = ""]) => [
      join(folder, path),
      list
        .split(",")
        .map((part) => part.trim().replaceAll('"', ""))
        .filter(Boolean),
    ],
  );
}

/** A module and those that it imports, without types and what is loaded later. */
function modulesOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const source = readFileSync(path, "utf8");
  for (const [, name = ""] of source.matchAll(/^import (?!type\b)[^;]*?from "(\.[^"]+\.ts)";/gm))
    if (!name.includes("/texts/")) modulesOf(join(dirname(path), name), seen);
  return seen;
}

/** The parts of the texts that a module shows. */
function partsOf(path: string): string[] {
  const source = readFileSync(path, "utf8");
  const direct = [...source.matchAll(/\btexts\.(\w+)/g)].map(([, name = ""]) => name);
  const taken = [...source.matchAll(/const \{([^}]*)\} = texts;/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.split(":")[0]?.trim() ?? ""),
  );
  return [...direct, ...taken].filter((name) => parts.has(name));
}

test.each(routedPages())("%s is loaded with the texts that it shows, and no others", (path, loaded) => {
  const shown = new Set([...modulesOf(path)].flatMap(partsOf));
  expect([...shown].sort()).toEqual([...loaded].sort());
});

test("every part is in every language", async () => {
  expect(routedPages().length).toBeGreaterThan(5);
  for (const part of parts)
    for (const loaders of Object.values(pageTextLoaders))
      expect(Object.keys(await loaders[part as keyof typeof loaders]())).not.toEqual([]);
});
