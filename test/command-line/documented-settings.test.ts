import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../src/command-line/settings/settings.ts";

/** The variables that `readSettings` reads. It composes the names of some of them. */
function variablesRead(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    { SERVICE_BASE_URL: "https://service.example", SERVICE_API_KEY: "a key" },
    {
      get: (values, name) => {
        names.add(String(name));
        return values[String(name)];
      },
    },
  );
  readSettings(environment);
  return names;
}

/** The variables whose names are in the source: some are read elsewhere. */
function variablesNamed(): string[] {
  const variable = /["`]((?:VISAVIS|SERVICE|DATABASE|REDIS|LOG)_[A-Z_]*[A-Z])["`]/g;
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /^(main\.ts|command-line|service)/.test(file) && file.endsWith(".ts"))
    .flatMap((file) => [...readFileSync(join("src", file), "utf8").matchAll(variable)])
    .map(([, name]) => name!);
}

test("docs/settings.md lists the variables that are read, and no others", () => {
  // An entry may name several; their defaults are in brackets.
  const entries =
    readFileSync("docs/settings.md", "utf8")
      .replace(/ \(.*?\)/g, "")
      .match(/^- [^:]*/gm) ?? [];
  const documented = entries.flatMap((entry) => [...entry.matchAll(/`(\w+)`/g)]);
  const read = new Set([...variablesRead(), ...variablesNamed()]);
  expect([...read].sort()).toEqual(documented.map(([, name]) => name).sort());
});
