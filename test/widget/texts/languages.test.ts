// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import type { UiConfig } from "../../../src/protocol/settings/embed-config.ts";
import { ScriptedAvatar, settled } from "../scripted-avatar.ts";
import { scriptedContext } from "../scripted-session.ts";

customElements.define("visavis-avatar", ScriptedAvatar);

let element: ScriptedAvatar;
let place: HTMLElement;

afterEach(() => {
  place.remove();
});

/** A live conversation of an element in a part of the page that has a language. */
async function converse(pageLanguage: string, ui: UiConfig = {}): Promise<void> {
  place = document.createElement("section");
  place.lang = pageLanguage;
  element = new ScriptedAvatar();
  element.setAttribute("context-id", "ctx_test");
  element.script.offered = { ...scriptedContext, ui };
  place.append(element);
  document.body.append(place);
  await settled(element);
  void element.start();
  element.script.become("live");
  await settled(element);
}

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const box = () => $(".vv");
const endLabel = () => $(".vv-btn.end")?.getAttribute("aria-label");

it("speaks the language of the nearest ancestor that names one", async () => {
  await converse("ko-KR");
  expect(endLabel()).toBe("대화 끝내기");
  expect([box()?.lang, box()?.dir]).toEqual(["ko", "ltr"]);
});

it("is written from right to left in Arabic and Hebrew", async () => {
  await converse("ar");
  expect([endLabel(), box()?.dir]).toEqual(["إنهاء المحادثة", "rtl"]);
});

it("speaks English in a language without texts, and has the conversation in that language", async () => {
  await converse("sv");
  expect([endLabel(), box()?.lang]).toEqual(["End the conversation", "en"]);
  expect(element.made.at(-1)?.locale).toBe("sv");
});

it("speaks a language that the owner allows", async () => {
  await converse("fr", { languages: ["de", "ja"] });
  expect(endLabel()).toBe("Gespräch beenden");
});

it("takes the owner's own texts before those of the language", async () => {
  await converse("de-AT", { texts: { "de.end": "Auf Wiedersehen" } });
  expect(endLabel()).toBe("Auf Wiedersehen");
  expect($(".vv-btn.main")?.getAttribute("aria-label")).toBe("Mara schreiben");
});
