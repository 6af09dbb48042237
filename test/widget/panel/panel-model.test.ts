// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { variants, type Variant } from "../../../src/protocol/settings/variant.ts";
import { emptySnapshot, type SessionSnapshot } from "../../../src/widget/session/session-snapshot.ts";
import { pendingLanguage } from "../../../src/widget/texts/language.ts";
import { isComplete, nextViews, panelViews, shownModel } from "../../../src/widget/panel/panel-model.ts";

const live: SessionSnapshot = { ...emptySnapshot, state: "live" };

function shown(variant: Variant, snapshot: SessionSnapshot, { used = true, mode = "" } = {}) {
  const element = Object.assign(document.createElement("div"), { mode, captions: null, transparent: false });
  return shownModel({
    element,
    variant,
    ui: {},
    language: null,
    direction: "ltr",
    session: { snapshot, context: null, current: null },
    panel: { textOpen: null, settings: {}, starting: false, moreOpen: false },
    surroundings: {
      viewport: { width: 1280, height: 800 },
      box: { width: 400, height: 400, fontSize: 16 },
      touch: false,
      offline: false,
      reducedMotion: false,
    },
    used,
  });
}

it("a floating panel that was never opened is not drawn and needs no view", () => {
  const model = shown("bubble", emptySnapshot, { used: false });
  expect(model.drawn).toBe(false);
  expect(panelViews(model, true)).toEqual([]);
});

it("until the first frame a conversation in a floating panel needs the picture alone", () => {
  const model = shown("bubble", live);
  expect(panelViews(model, false)).toEqual([]);
  expect(panelViews(model, true)).toEqual(["chrome"]);
  expect(nextViews(model)).toEqual(["transcript", "pages", "extras"]);
});

it("in text mode the transcript is needed, and the panel is complete once its controls are there", () => {
  const model = shown("bubble", live, { mode: "text" });
  expect(panelViews(model, false)).toEqual(["chrome", "transcript"]);
  expect(isComplete(model, { loaded: {} })).toBe(false);
  expect(isComplete(model, { loaded: { chrome: {} } } as Parameters<typeof isComplete>[1])).toBe(true);
});

it("without a conversation nothing is loaded ahead", () => {
  expect(nextViews(shown("inline", emptySnapshot))).toEqual([]);
});

it("another language than English is needed with the first view, and nothing is drawn before it is there", () => {
  const model = { ...shown("bubble", emptySnapshot), language: pendingLanguage("ko") };
  expect(panelViews(model, true)).toEqual(["chrome", "pages", "languages"]);
  const views = { loaded: { chrome: {} } } as Parameters<typeof isComplete>[1];
  expect(isComplete(model, views)).toBe(false);
  expect(isComplete({ ...model, language: { ...model.language, ready: true } }, views)).toBe(true);
});

it("a launcher whose panel was never opened shows what goes on in a session", () => {
  expect(nextViews(shown("bubble", live, { used: false }))).toEqual(["extras"]);
});

it("compact shows the avatar alone on the page, and everything else in a bubble's window", () => {
  expect(shown("compact", live)).toMatchObject({
    transparent: true,
    layout: { fit: "compact", kind: "overlay" },
  });
  for (const model of [
    shown("compact", emptySnapshot),
    shown("compact", { ...emptySnapshot, state: "ended" }),
    shown("compact", live, { mode: "text" }),
  ])
    expect(model).toMatchObject({ transparent: false, layout: { fit: "window", kind: "stacked" } });
});

it("the style sheet of a variant is loaded for it alone", () => {
  const { small: sheet } = variants.compact;
  expect(panelViews(shown("compact", live), false)).toContain(sheet);
  for (const other of ["bubble", "inline", "fullscreen"] as const)
    expect(panelViews(shown(other, live), true)).not.toContain(sheet);
});
