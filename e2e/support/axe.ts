import axe, { type RunOptions } from "axe-core";
import type { Page } from "@playwright/test";

interface AxeQuestion {
  /** The part of the page that is looked at. */
  include?: string;
  /** Parts of it that are not. */
  exclude?: string;
  /** The only rules that are tried. */
  only?: readonly string[];
  /** Rules that are not tried. */
  without?: readonly string[];
  /** The rules that are tried, by their tags. */
  tags?: readonly string[];
}

/** What axe finds wrong in a page, one line for each element. Frames in it are not looked into. */
export async function violations(page: Page, asked: AxeQuestion = {}): Promise<string[]> {
  const { include, exclude, only, without = [], tags } = asked;
  const options: RunOptions = {
    iframes: false,
    // The others would list every element that is right.
    resultTypes: ["violations"],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: "rule", values: [...only] } }),
    ...(tags && { runOnly: { type: "tag", values: [...tags] } }),
  };
  // Its script is large: it is sent once to each page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ inside, outside, given }) => {
      const found = await window.axe.run({ include: [inside], exclude: outside }, given);
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    },
    { inside: include ?? "html", outside: exclude === undefined ? [] : [exclude], given: options },
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
