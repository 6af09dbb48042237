// @vitest-environment happy-dom
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { RecognizerKind } from "../../../src/client/index.ts";
import type { UiConfig } from "../../../src/protocol/settings/embed-config.ts";
import { ScriptedAvatar, settled } from "../scripted-avatar.ts";
import { scriptedContext } from "../scripted-session.ts";

customElements.define("visavis-avatar", ScriptedAvatar);

let element: ScriptedAvatar;

afterEach(() => element.remove());

/** An element before its start. */
async function offer(
  ui: UiConfig,
  voice: unknown,
  recognizer: RecognizerKind | null = "service",
): Promise<void> {
  element = new ScriptedAvatar();
  element.setAttribute("context-id", "ctx_test");
  element.script.offered = { ...scriptedContext, ui, voice };
  element.script.recognizer = recognizer;
  document.body.append(element);
  await settled(element);
}

/** A live conversation in which something recognizes the visitor's speech. */
async function converse(
  ui: UiConfig = {},
  voice: unknown = { recognizer: true },
  recognizer: RecognizerKind | null = "service",
): Promise<void> {
  await offer(ui, voice, recognizer);
  void element.start();
  element.script.become("live");
  await settled(element);
}

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const text = (selector: string) => $(selector)?.textContent.replace(/\s+/g, " ").trim();
const button = () => $(".vv-mic");
const called = (name: string) => element.script.calls.filter(([call]) => call === name);

function press(type: string, key: string): void {
  const place = type === "keyup" ? window : button()!;
  place.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true, cancelable: true }));
}

describe("the microphone", () => {
  it.each([
    ["push-to-talk", "shows"],
    ["hands-free", "shows"],
    ["both", "shows"],
    ["off", "hides"],
  ] as const)("voice_mode %j %s the microphone", async (voice_mode, does) => {
    await converse({ voice_mode });
    expect(button() !== null).toBe(does === "shows");
  });

  it("is not shown where nothing recognizes speech, nor in writing", async () => {
    await converse({}, { recognizer: false });
    expect(button()).toBeNull();
    element.remove();
    await converse();
    element.setAttribute("mode", "text");
    await settled(element);
    expect(button()).toBeNull();
  });

  it("is shown where the visitor's browser recognizes speech, and only there", async () => {
    const voice = { recognizer: false, browser: true };
    for (const [recognizer, api, isShown] of [
      ["device", true, true],
      ["cloud", true, true],
      [null, true, false],
      ["device", false, false],
    ] as const) {
      if (api) Reflect.set(globalThis, "SpeechRecognition", Object);
      await converse({}, voice, recognizer);
      expect(button() !== null, `${recognizer} ${api}`).toBe(isShown);
      element.remove();
      Reflect.deleteProperty(globalThis, "SpeechRecognition");
    }
  });

  it("is taken away when the browser cannot install its recognizer, and the visitor is told once", async () => {
    Reflect.set(globalThis, "SpeechRecognition", Object);
    await converse({}, { recognizer: false, browser: true }, "device");
    element.script.recognizer = null;
    element.script.hear({ fault: "failed" });
    await settled(element);
    expect(button()).toBeNull();
    expect(text(".vv-captions")).toContain("Speech can’t be understood right now. You can type instead.");
    $(".vv-captions .vv-chip")!.click();
    await settled(element);
    expect([$("textarea") !== null, $(".vv-compose .vv-btn[aria-label='Talk to Mara']")]).toEqual([
      true,
      null,
    ]);
    element.script.hear({ fault: null });
    await settled(element);
    expect(text(".vv-panel")).not.toContain("can’t be understood");
    Reflect.deleteProperty(globalThis, "SpeechRecognition");
  });

  it("tells the visitor first that the browser's maker gets the sound, once", async () => {
    Reflect.set(globalThis, "SpeechRecognition", Object);
    await converse({}, { recognizer: false, browser: true }, "cloud");
    press("keydown", " ");
    await settled(element);
    expect(called("beginTurn")).toEqual([]);
    expect(text(".vv-captions .vv-caption")).toMatch(
      /^The maker of your browser turns your speech into text/,
    );
    expect(text("p[role=status]")).toBe(text(".vv-captions .vv-caption"));
    expect(text(".vv-captions .vv-chips")).toBe("Talk to MaraType instead");
    $(".vv-captions .vv-chip")!.click();
    await settled(element);
    expect(called("setHandsFree")).toEqual([["setHandsFree", true]]);
    button()!.click();
    button()!.click();
    await settled(element);
    expect(called("setHandsFree")).toHaveLength(3);
    Reflect.deleteProperty(globalThis, "SpeechRecognition");
  });

  it("is in the composer too, and begins to talk there", async () => {
    await converse();
    $(".vv-btn[aria-expanded]")!.click();
    await settled(element);
    const microphone = $(".vv-compose .vv-btn")!;
    expect(microphone.getAttribute("aria-label")).toBe("Talk to Mara");
    expect(text(".vv-badge")).toBe("Ready");
    microphone.click();
    await settled(element);
    expect([$(".vv-compose"), called("setHandsFree")]).toEqual([null, [["setHandsFree", true]]]);
  });

  it.each([
    ["both", 1],
    ["push-to-talk", 0],
  ] as const)("can be what a conversation begins with, in the mode %s", async (voice_mode, listens) => {
    await offer({ voice_mode, consent_text: "Mara is an AI." }, { recognizer: true });
    element.open();
    await settled(element);
    expect(text(".vv-acts")).toBe("Start talking Type instead");
    $(".vv-acts .vv-cta")!.click();
    await settled(element);
    expect([called("start").length, called("listen").length]).toEqual([1, listens]);
  });

  it("can be skipped at the start by a visitor who wants to write", async () => {
    await offer({ consent_text: "Mara is an AI." }, { recognizer: true });
    element.open();
    await settled(element);
    $(".vv-acts .vv-cta:not(.pri)")!.click();
    element.script.become("live");
    await settled(element);
    expect([called("start").length, called("listen").length, $("textarea") !== null]).toEqual([1, 0, true]);
  });

  it("records while the space bar is held, and says so", async () => {
    await converse();
    expect(text(".vv-badge")).toBe("Hold to talk");
    press("keydown", " ");
    await settled(element);
    expect([
      called("beginTurn").length,
      text(".vv-badge"),
      $(".vv-panel .vv-window")?.dataset["ring"],
    ]).toEqual([1, "Release to send", "listening"]);
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 400);
    onTestFinished(() => clock.mockRestore());
    press("keyup", " ");
    await settled(element);
    expect(called("endTurn")).toEqual([["endTurn", "send"]]);
  });

  it.each([
    ["sends", 56, "send"],
    ["takes back", 57, "cancel"],
  ])("%s what was said when the button is let go %i px beside it", async (_does, clientX, how) => {
    await converse();
    const touch = (type: string, at = {}) =>
      button()!.dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true, composed: true, ...at }));
    vi.spyOn(button()!, "setPointerCapture").mockReturnValue(undefined);
    touch("pointerdown");
    await settled(element);
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 400);
    onTestFinished(() => clock.mockRestore());
    touch("pointerup", { clientX });
    await settled(element);
    expect(called("endTurn")).toEqual([["endTurn", how]]);
  });

  it("leaves the space bar to fields and other controls", async () => {
    await converse();
    $(".vv-btn.end")!.dispatchEvent(
      new KeyboardEvent("keydown", { key: " ", bubbles: true, composed: true }),
    );
    await settled(element);
    expect(called("beginTurn")).toEqual([]);
  });

  it("is switched by a click of assistive technology", async () => {
    await converse({ voice_mode: "push-to-talk" });
    button()!.click();
    await settled(element);
    expect(text(".vv-badge")).toBe("Press to send");
    button()!.click();
    await settled(element);
    expect(called("endTurn")).toEqual([["endTurn", "send"]]);
  });

  it.each(["hands-free", "both"] as const)(
    "stays open between turns after a click in the mode %s",
    async (voice_mode) => {
      await converse({ voice_mode });
      button()!.click();
      await settled(element);
      expect([called("setHandsFree"), button()?.getAttribute("aria-label")]).toEqual([
        [["setHandsFree", true]],
        "Turn the microphone off",
      ]);
      element.script.act("listening");
      await settled(element);
      expect([text(".vv-badge"), $(".vv-panel .vv-window")?.dataset["ring"]]).toEqual([
        "Listening",
        "listening",
      ]);
      button()!.click();
      await settled(element);
      expect(called("setHandsFree").at(-1)).toEqual(["setHandsFree", false]);
    },
  );

  it("shows live words as text, never as markup", async () => {
    await converse();
    element.script.hear({ state: "on", turn: "button", words: "<b>hello</b>" });
    await settled(element);
    expect(text(".vv-caption")).toBe("<b>hello</b>");
  });

  it.each([
    ["denied", "Microphone blocked"],
    ["frame", "Microphone blocked"],
    ["missing", "No microphone"],
    ["busy", "No microphone"],
  ] as const)("says what is wrong when it is %s, and offers to type", async (fault, badge) => {
    await converse();
    element.script.hear({ fault });
    await settled(element);
    expect([text(".vv-badge"), text(".vv-captions .vv-caption")]).toEqual([badge, "Mara can’t hear you."]);
    expect(text(".vv-captions .vv-chip")).toBe("Type instead");
    expect(text("p[role=status]")).toBe(text(".vv-captions .hint"));
  });

  it("lets the visitor write a question that was misheard, which takes it back", async () => {
    await converse();
    element.script.write("visitor", "how much is the older chair");
    element.script.hear({ questionId: element.script.transcript.at(-1)!.id });
    element.script.act("thinking");
    await settled(element);
    const chips = [...element.shadowRoot!.querySelectorAll<HTMLElement>(".vv-captions .vv-chip")];
    chips.find(({ textContent }) => textContent.includes("Correct the question"))!.click();
    await settled(element);
    expect(called("discard")).toEqual([["discard", "0"]]);
    expect($("textarea")).toMatchObject({ value: "how much is the older chair" });
  });

  it("can be another one, chosen in the settings, as can the speaker", async () => {
    await converse();
    button()!.parentElement!.querySelector<HTMLElement>("[aria-label=Settings]")!.click();
    await settled(element);
    const select = $(".vv-set [aria-label=Microphone]") as HTMLSelectElement;
    expect(Array.from(select.options, ({ textContent }) => textContent.trim())).toEqual([
      "System default",
      "Headset",
      "Built-in microphone",
    ]);
    select.value = "b";
    select.dispatchEvent(new Event("change"));
    await settled(element);
    expect(called("choose")).toEqual([["choose", { microphone: "b", speaker: "" }]]);
    $(".vv-set .vv-x")!.click();
  });

  it("is unmuted by its own button", async () => {
    await converse();
    element.mute();
    element.script.hear({ state: "muted" });
    await settled(element);
    expect([button()?.getAttribute("aria-label"), text(".vv-badge")]).toEqual(["Unmute", "Muted"]);
    button()!.click();
    expect(element.script.muted).toBe(false);
  });
});
