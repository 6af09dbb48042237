// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import type { UiConfig } from "../../../src/protocol/settings/embed-config.ts";
import { keptSettings } from "../../../src/widget/settings/kept-settings.ts";
import { ScriptedAvatar, settled } from "../scripted-avatar.ts";
import { scriptedContext } from "../scripted-session.ts";

customElements.define("visavis-avatar", ScriptedAvatar);

const key = "visavis-settings:ctx_gallery";
let element: ScriptedAvatar;

// happy-dom fails when it is asked for an active element that has been removed. Focus is tested in a browser.
vi.spyOn(HTMLElement.prototype, "focus").mockImplementation(() => undefined);

afterEach(() => {
  element.remove();
  localStorage.clear();
  sessionStorage.clear();
});

async function converse(ui: UiConfig = {}, more: Record<string, unknown> = {}): Promise<void> {
  element = new ScriptedAvatar();
  element.setAttribute("context-id", "ctx_gallery");
  element.setAttribute("lang", "en");
  element.script.offered = { ...scriptedContext, ...more, ui };
  document.body.append(element);
  await settled(element);
  if (ui.consent_text) element.open();
  await settled(element);
  const begin = [...element.shadowRoot!.querySelectorAll("button")].find((button) =>
    button.textContent.includes("Start the conversation"),
  );
  if (begin) await press(begin);
  else void element.start();
  await settled(element);
  element.script.become("live");
  await settled(element);
}

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const setting = (name: string) => $(`.vv-set [aria-label="${name}"]`);

async function press(target: HTMLElement | null): Promise<void> {
  target!.click();
  await settled(element);
}

async function openSettings(): Promise<void> {
  await press($('.vv-tools [aria-label="More"]'));
  await press($(".vv-more .vv-item"));
}

it("captions can be turned off and made larger", async () => {
  await converse();
  await openSettings();
  await press(setting("Caption size")!.querySelector<HTMLElement>("button:last-child"));
  expect($(".vv")?.dataset["captions"]).toBe("large");
  await press(setting("Captions"));
  expect(setting("Captions")?.getAttribute("aria-checked")).toBe("false");
  expect(setting("Caption size")).toBeNull();
});

it("the visitor turns the sound off, whatever volume the page sets", async () => {
  await converse();
  await openSettings();
  await press(setting("Sound"));
  element.volume = 0.8;
  expect([element.script.volume, element.volume]).toEqual([0, 0.8]);
  await press(setting("Sound"));
  expect(element.script.volume).toBe(0.8);
});

it("the voice speaks as fast as the visitor chooses, also at the next visit", async () => {
  const rateOfSession = () => element.script.calls.findLast(([name]) => name === "setVoiceRate")?.[1];
  await converse();
  expect(rateOfSession()).toBe(1);
  await openSettings();
  const picker = setting("Voice speed") as HTMLSelectElement;
  expect([...picker.options].map(({ label, textContent }) => (label || textContent).trim())).toEqual([
    "0.75×",
    "1×",
    "1.25×",
    "1.5×",
  ]);
  picker.value = "1.5";
  picker.dispatchEvent(new Event("change"));
  await settled(element);
  expect(rateOfSession()).toBe(1.5);
  expect(JSON.parse(localStorage.getItem(key) ?? "")).toEqual({ voiceRate: 1.5 });
  element.remove();
  await converse();
  expect(rateOfSession()).toBe(1.5);
});

it("a voice that is off has no speed to choose", async () => {
  await converse();
  await openSettings();
  expect(setting("Voice speed")).not.toBeNull();
  await press(setting("Sound"));
  expect(setting("Voice speed")).toBeNull();
});

it("text only shows the transcript in place of the avatar, in silence", async () => {
  await converse();
  await openSettings();
  await press(setting("Show")!.querySelector<HTMLElement>("button:last-child"));
  expect(element.script.volume).toBe(0);
  await press($(".vv-x"));
  expect($("textarea")).not.toBeNull();
  expect($(".vv-shell")?.hasAttribute("data-plain")).toBe(true);
});

it("less motion is asked of the session too", async () => {
  await converse();
  await openSettings();
  await press(setting("Reduce motion"));
  expect(element.script.calls.findLast(([name]) => name === "setReducedMotion")).toEqual([
    "setReducedMotion",
    true,
  ]);
  expect($(".vv")?.hasAttribute("data-still")).toBe(true);
});

it("another language is taken at once, by the model too, among those that the owner allows", async () => {
  await converse({ languages: ["en", "ko"] });
  await openSettings();
  const picker = $("select") as HTMLSelectElement;
  expect([...picker.options].map(({ label, textContent }) => (label || textContent).trim())).toEqual([
    "English",
    "한국어",
  ]);
  picker.value = "ko";
  picker.dispatchEvent(new Event("change"));
  await settled(element);
  expect($("h2")?.textContent).toBe("설정");
  expect(element.script.calls.findLast(([name]) => name === "setVariables")).toEqual([
    "setVariables",
    { language: "ko" },
  ]);
  expect(element.made.at(-1)?.locale).toBe("en");
});

it("settings are remembered on the device, and hold for the next visit", async () => {
  await converse();
  await openSettings();
  await press(setting("Sound"));
  expect(JSON.parse(localStorage.getItem(key) ?? "")).toEqual({ silent: true });
  await press(setting("Captions"));
  await press(setting("Reduce motion"));
  await press(setting("Show")!.querySelector<HTMLElement>("button:last-child"));
  element.remove();
  await converse();
  expect(element.script.volume).toBe(0);
  expect($(".vv")?.hasAttribute("data-still")).toBe(true);
  expect($(".vv-shell")?.hasAttribute("data-plain")).toBe(true);
  await openSettings();
  await press(setting("Show")!.querySelector<HTMLElement>("button"));
  expect(setting("Captions")?.getAttribute("aria-checked")).toBe("false");
});

it("settings are remembered as long as the owner lets consent be remembered", async () => {
  await converse({ consent_text: "We keep nothing." });
  await openSettings();
  await press(setting("Sound"));
  expect([localStorage.getItem(key), sessionStorage.getItem(key)]).toEqual([null, '{"silent":true}']);
});

it("remembered settings that are not valid are ignored", () => {
  localStorage.setItem(
    key,
    '{"silent":"yes","captionSize":"huge","captions":false,"voiceRate":9,"__proto__":1}',
  );
  expect(keptSettings(key)).toEqual({ captions: false });
  localStorage.setItem(key, "{broken");
  expect(keptSettings(key)).toEqual({});
  element = new ScriptedAvatar();
});

it("without a page for consent, the settings say for how long words are kept", async () => {
  await converse({}, { retention_days: 30 });
  await openSettings();
  expect($(".vv-set")?.textContent).toContain("What is said is kept for 30 days, then deleted.");
});

it("Escape closes the settings, then the panel", async () => {
  await converse();
  await openSettings();
  const escape = () =>
    $(".vv-shell")!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  escape();
  await settled(element);
  expect($(".vv-set")).toBeNull();
  expect(element.hasAttribute("open")).toBe(true);
  escape();
  await settled(element);
  expect(element.hasAttribute("open")).toBe(false);
});
