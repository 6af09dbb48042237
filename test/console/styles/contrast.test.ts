import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { colorOf, contrast } from "../../../src/console/editor/look-views.ts";

const css = readFileSync("src/console/styles/tokens.css", "utf8");

/** The colours of a theme, by the names of their tokens without prefix. Those that it does not set are the light ones. */
function colorsOf(theme: "light" | "dark"): Map<string, string> {
  const rules = [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)].filter(
    ([, selector = ""]) => /\[data-theme="light"\]/.test(selector) || selector.includes(`"${theme}"`),
  );
  return new Map(
    rules.flatMap(([, , body = ""]) =>
      [...body.matchAll(/--(?:visavis|con)-([\w-]+):\s*(#[\da-f]{6})\b/g)].map(
        ([, name = "", color = ""]): [string, string] => [name, color],
      ),
    ),
  );
}

/** The words' colours, and what they stand on. */
const words: Readonly<Record<string, readonly string[]>> = {
  ink: ["mat", "raised", "sunken", "sunken-hover", "accent-soft", "hit", "wall"],
  "ink-2": ["mat", "raised", "sunken", "wall"],
  "ink-3": ["mat", "raised", "sunken", "wall"],
  "accent-ink": ["mat", "raised", "sunken", "accent-soft", "wall"],
  "on-accent": ["accent", "accent-hover"],
  danger: ["mat", "raised", "danger-soft"],
};
/** Edges and rings need less. */
const edges: Readonly<Record<string, readonly string[]>> = {
  "line-strong": ["mat", "raised"],
  "ring-bright": ["mat", "raised"],
};

test.each(["light", "dark"] as const)(
  "words and edges have enough contrast to what they stand on, %s",
  (theme) => {
    const colors = colorsOf(theme);
    const weak = (pairs: typeof words, least: number): string[] =>
      Object.entries(pairs).flatMap(([front, grounds]) =>
        grounds
          .map((ground): [string, number] => [
            `${front} on ${ground}`,
            contrast(colorOf(colors.get(front)!)!, colorOf(colors.get(ground)!)!),
          ])
          .filter(([, ratio]) => ratio < least)
          .map(([pair, ratio]) => `${pair}: ${ratio.toFixed(1)}`),
      );
    expect([...weak(words, 4.5), ...weak(edges, 3)]).toEqual([]);
  },
);
