import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = readdirSync("src/console", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["styles", "sign-in", "preview"].includes(entry.name))
  .flatMap(({ name }) => readdirSync(`src/console/${name}`).map((file) => [name, file] as const))
  .filter(([, file]) => file.endsWith(".css"));

/** What stands before the braces that stand in no other braces, conditions such as `@media` left out. */
function outerSelectors(css: string): string[] {
  const found: string[] = [];
  const open: boolean[] = [];
  for (const [, text = "", brace] of css.replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{}]*)([{}])/g)) {
    if (brace === "}") {
      open.pop();
      continue;
    }
    const selector = text.split(";").at(-1)?.trim() ?? "";
    const isCondition = selector.startsWith("@");
    if (!isCondition && open.every((inRule) => !inRule)) found.push(selector);
    open.push(!isCondition);
  }
  return found;
}

// A page's styles stay when its visitor goes to another page. Pages that look alike share them by their names.
test.each(pages)("the styles in %s/%s are those of that page, and of others that it names", (page, file) => {
  const css = readFileSync(`src/console/${page}/${file}`, "utf8");
  const own = new RegExp(
    `^(?::where\\(visavis-console-${page}(?:, visavis-console-[a-z]+)*\\)|visavis-console-${page}(?: .*)?|\\.is-edit:has\\(visavis-console-${page}\\) .*)$`,
  );
  // What only that page makes the frame around it do.
  const frame = /^(?:\.con\.is-edit|\.is-edit |visavis-console:has\()/;
  const others = outerSelectors(css).filter((selector) => !own.test(selector) && !frame.test(selector));
  expect(others).toEqual([]);
});
