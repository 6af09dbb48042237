// @vitest-environment happy-dom
import { render } from "lit";
import { expect, test } from "vitest";
import type { AnswerSource } from "../../../src/protocol/answers/answer-source.ts";
import { sourceChips } from "../../../src/widget/transcript/source-chips.ts";

function shown(...sources: Partial<AnswerSource>[]): HTMLElement {
  const place = document.createElement("div");
  const whole = sources.map((source) => ({ title: "Care", passage: "", quotes: [], ...source }));
  render(
    sourceChips((key) => key, "en", whole),
    place,
  );
  return place;
}

test("a page of this website opens at the quote", () => {
  const url = `${location.origin}/care?table=1`;
  const link = (quote: string) =>
    shown({ url, quotes: [quote] })
      .querySelector("a")
      ?.getAttribute("href");
  expect(link("Oil it, twice - or more.")).toBe(`${url}#:~:text=Oil%20it%2C%20twice%20%2D%20or%20more.`);
  expect(link("One two three four five six seven eight nine ten eleven twelve.")).toBe(
    `${url}#:~:text=One%20two%20three%20four,nine%20ten%20eleven%20twelve.`,
  );
});

test("of all else the passage is shown, with what was used marked", () => {
  const place = shown({ passage: "First. Oil it. Then wait.", quotes: ["Oil it.", "not there"] });
  expect(place.querySelector("summary")?.textContent.trim()).toBe("Care");
  expect(place.querySelector("blockquote")?.textContent.trim()).toBe("First. Oil it. Then wait.");
  expect([...place.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(["Oil it."]);
  expect(place.querySelector("a")).toBeNull();
});

test("a page of another website is opened in a new tab, and an address that is none not at all", () => {
  const links = (url: string) => [...shown({ url, quotes: ["Oil it."] }).querySelectorAll("a")];
  const [link] = links("https://wood.example/care");
  expect([link?.textContent, link?.target, link?.rel]).toEqual([
    "wood.example",
    "_blank",
    "noopener noreferrer",
  ]);
  for (const url of ["javascript:alert(1)", "https://", "data:text/html,x", "/care"])
    expect(links(url)).toEqual([]);
});
