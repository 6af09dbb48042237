// @vitest-environment happy-dom
import { render } from "lit";
import { expect, test, vi } from "vitest";
import type { PersonStatus } from "../../../src/client/person/person-status.ts";
import { personParts } from "../../../src/widget/person/person-view.ts";
import { createTranslate } from "../../../src/widget/texts/texts.ts";

const here: PersonStatus = {
  ...{ state: "here", people: ["Lena"], organization: "Alder Home", name: "" },
  ...{ place: 0, wait_sec: null, is_writing: false, lost_sec: null },
  want: () => Promise.resolve(),
};

/** What people add to the panel, with the words of its strip. */
function shown(status: Partial<PersonStatus>, isDeclined = false) {
  const [want, decline] = [vi.fn(), vi.fn()];
  const t = createTranslate({}, ["en"], { owner: "Alder Home", name: "Mara" });
  const parts = personParts({ t, status: { ...here, ...status }, isDeclined, want, decline });
  const drawn = (what: unknown): HTMLElement => {
    const root = document.createElement("div");
    render(what, root);
    return root;
  };
  return { parts, want, decline, strip: drawn(parts.strip), offer: drawn(parts.offer(true)) };
}

const press = (root: HTMLElement, name: string): void =>
  [...root.querySelectorAll("button")].find(({ textContent }) => textContent === name)!.click();

test("a person whose line is lost is told of, and when the avatar goes on", () => {
  const { parts, strip } = shown({ state: "joined", name: "Lena", lost_sec: 14 });
  expect(strip.querySelector("[role=status] b")?.textContent).toBe("Lena’s line dropped");
  expect(strip.textContent).toContain("in 14 s.");
  expect(parts).toMatchObject({ ring: "two-lost", announcement: "Lena’s line dropped" });
  const { parts: joined, strip: none } = shown({ state: "joined", name: "Lena" });
  expect(none.textContent).toBe("");
  expect(joined).toMatchObject({ ring: "two", announcement: "Lena, a person, has joined" });
});

test("a visitor who waits is told the place in line, and can stop waiting", () => {
  const { want, strip } = shown({ state: "waiting", place: 1, wait_sec: 90 });
  expect(strip.textContent).toContain("You are next, about 2 min");
  press(strip, "Stop waiting");
  expect(want.mock.calls).toEqual([[false]]);
});

test("a person who is there is offered with the name, unless the visitor does not want one now", () => {
  const { want, decline, offer } = shown({});
  expect(offer.textContent).toContain("Lena · Alder Home");
  press(offer, "Ask for a person");
  press(offer, "Not now");
  expect(want.mock.calls).toEqual([[true]]);
  expect(decline).toHaveBeenCalledOnce();
  expect(shown({}, true).offer.textContent).toBe("");
});
