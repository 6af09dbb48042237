// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { tellDataLayer } from "../../../src/widget/analytics/data-layer.ts";

const page = window as unknown as Record<string, unknown>;
let element: HTMLElement;
const tell = (type: string, detail: unknown) =>
  element.dispatchEvent(new CustomEvent(`visavis-${type}`, { detail }));
const message = (role: string, status: string, more: object = {}) =>
  tell("message", { message: { id: role, at: 1, role, status, text: "A secret", ...more } });

beforeEach(() => {
  delete page["dataLayer"];
  element = document.createElement("div");
});

it("gets each event once, with no text of the visitor and of the avatar", () => {
  tellDataLayer(element, "dataLayer", { open: true, live: false, transcript: [] });
  tell("statechange", { state: "live", previous: "connecting" });
  message("visitor", "final");
  message("avatar", "streaming");
  message("avatar", "final", { found: false });
  message("avatar", "final", { unspoken: true });
  tell("rating", { of: "answer", value: "down", message: "avatar", why: "A secret" });
  tell("link", { href: "https://shop.example/A%20secret" });
  tell("action", { action: "buy", label: "A secret", values: { name: "A secret" } });
  tell("handover", { reason: "asked", via: "phone", sessionId: "secret" });
  tell("error", { code: "engine_failed", message: "A secret" });
  tell("statechange", { state: "ended", previous: "live", reason: "ended_by_visitor" });
  expect(page["dataLayer"]).toEqual([
    { event: "visavis_open" },
    { event: "visavis_start" },
    { event: "visavis_question" },
    { event: "visavis_answer", complete: true, found: false },
    { event: "visavis_rating", of: "answer", value: "down" },
    { event: "visavis_link", host: "shop.example" },
    { event: "visavis_action", action: "buy" },
    { event: "visavis_handover", reason: "asked", via: "phone" },
    { event: "visavis_error", code: "engine_failed" },
    { event: "visavis_end", reason: "ended_by_visitor" },
  ]);
  expect(JSON.stringify(page["dataLayer"])).not.toMatch(/secret/i);
});

it("is the page's own array of that name, and nothing that is no array", () => {
  page["ownLayer"] = ["kept"];
  tellDataLayer(element, "ownLayer", { open: false, live: true, transcript: [] });
  expect(page["ownLayer"]).toEqual(["kept", { event: "visavis_start" }]);
  page["ownLayer"] = "mine";
  tell("open", null);
  expect(page["ownLayer"]).toBe("mine");
});

it("gets what was asked and answered on this page before it was there, once, and nothing that an earlier page has told", () => {
  const entry = (id: string, role: "visitor" | "avatar", at: number) =>
    ({ id, role, at, status: "final", text: "A secret" }) as const;
  const now = performance.timeOrigin + 1_000;
  const asked = entry("m3", "visitor", now);
  const transcript = [
    entry("m1", "visitor", performance.timeOrigin - 1_000),
    entry("m2", "avatar", performance.timeOrigin - 900),
    asked,
    entry("m4", "avatar", now + 1),
  ];
  tellDataLayer(element, "dataLayer", { open: false, live: true, transcript });
  tell("message", { message: asked });
  expect(page["dataLayer"]).toEqual([
    { event: "visavis_start" },
    { event: "visavis_question" },
    { event: "visavis_answer", complete: true, found: true },
  ]);
});
