// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { VisavisError, type ClientTool } from "../../src/client/index.ts";
import { setDefaultRelay } from "../../src/widget/settings/default-relay.ts";
import { ScriptedAvatar, settled as allSettled } from "./scripted-avatar.ts";
import { ScriptedSession, scriptedContext } from "./scripted-session.ts";

let session: ScriptedSession;
let element: ScriptedAvatar;

customElements.define("visavis-avatar", ScriptedAvatar);

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const field = () => element.shadowRoot!.querySelector("textarea")!;
const dialog = () => element.shadowRoot!.querySelector("dialog")!;
const text = (selector: string) => $(selector)?.textContent.replace(/\s+/g, " ").trim();
const button = (label: string) =>
  [...element.shadowRoot!.querySelectorAll<HTMLButtonElement>("button")].find(
    (found) => (found.getAttribute("aria-label") ?? found.textContent.trim()) === label,
  );

const settled = () => allSettled(element);

function press(target: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", {
    key,
    bubbles: true,
    cancelable: true,
    composed: true,
    ...more,
  });
  target.dispatchEvent(event);
  return event;
}

async function mount(attributes: Record<string, string> = {}): Promise<void> {
  element = new ScriptedAvatar();
  element.script = session;
  for (const [name, value] of Object.entries({ "context-id": "ctx_test", ...attributes }))
    element.setAttribute(name, value);
  document.body.append(element);
  await settled();
}

async function goLive(): Promise<void> {
  $(".vv-launcher")!.click();
  await settled();
  session.become("live");
  await settled();
}

beforeEach(() => {
  session = new ScriptedSession();
  session.offered = { ...scriptedContext, ui: {} };
});

afterEach(() => {
  element.remove();
  setDefaultRelay("");
});

describe("the launcher", () => {
  it("opens the panel and starts the session in one gesture, and moves the focus to the main action", async () => {
    await mount();
    const opened = vi.fn();
    document.body.addEventListener("visavis-open", opened, { once: true });
    $(".vv-launcher")!.click();
    await settled();
    expect(session.calls).toContainEqual(["start"]);
    expect($("dialog")).toMatchObject({ open: true });
    expect($(".vv-launcher")!.getAttribute("aria-expanded")).toBe("true");
    expect(opened).toHaveBeenCalledOnce();
    expect(element.shadowRoot!.activeElement).toBe($("[data-main]"));
  });

  it("opens with the picture alone, and keeps space for the controls, which are loaded after the first frame", async () => {
    vi.spyOn(ScriptedAvatar.prototype, "patienceMs" as never, "get").mockReturnValueOnce(60_000 as never);
    await mount();
    $(".vv-launcher")!.click();
    await settled();
    expect($(".vv-window .vv-view")).not.toBeNull();
    expect($(".vv-controls")!.childElementCount).toBe(0);
    expect($(".vv-top")).toBeNull();
    expect(element.shadowRoot!.activeElement).toBe(dialog());
  });

  it("shows the owner's consent first, and sends nothing until the visitor chooses", async () => {
    session.offered = { ...scriptedContext, ui: { consent_text: "<b>We</b> keep nothing." } };
    await mount();
    $(".vv-launcher")!.click();
    await settled();
    expect(session.calls).not.toContainEqual(["start"]);
    expect(text(".vv-page p")).toBe("<b>We</b> keep nothing.");
    button("Start the conversation")!.click();
    await settled();
    expect(session.calls).toContainEqual(["start"]);
  });

  it("reuses the launcher that the loader has drawn", async () => {
    element = new ScriptedAvatar();
    element.script = session;
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    root.innerHTML = `<div class="vv-launch"><button class="vv-launcher"></button></div>`;
    const drawn = root.querySelector("button")!;
    // The state of the element before its upgrade: a shadow root with the launcher in it.
    vi.spyOn(element, "shadowRoot", "get").mockReturnValue(root);
    element.setAttribute("context-id", "ctx_test");
    document.body.append(element);
    await settled();
    expect(root.querySelectorAll(".vv-launcher")).toHaveLength(1);
    drawn.click();
    await settled();
    expect(root.querySelector("button.vv-launcher")).toBe(drawn);
    expect(session.calls).toContainEqual(["start"]);
  });

  it("gets the focus back after Escape, which does not end the conversation", async () => {
    await mount();
    await goLive();
    const closed = vi.fn();
    element.addEventListener("visavis-close", closed);
    $(".vv-btn.end")!.focus();
    press($(".vv-btn.end")!, "Escape");
    await settled();
    expect(closed).toHaveBeenCalledOnce();
    expect(element.state).toBe("live");
    expect(session.calls).not.toContainEqual(["end"]);
    await vi.waitFor(() => {
      expect(dialog().open).toBe(false);
      expect(element.shadowRoot!.activeElement).toBe($(".vv-launcher"));
    });
  });
});

describe("the contract with the page", () => {
  it("shows the session's state in its properties, and dispatches its events", async () => {
    await mount();
    const told: string[] = [];
    const types = ["statechange", "activitychange", "message", "caption", "interrupted", "toolcall", "error"];
    for (const type of types)
      document.addEventListener(`visavis-${type}`, () => told.push(type), { once: true });
    await goLive();
    session.act("thinking");
    session.write("visitor", "Hello");
    session.emit("caption", { text: "Hi there", word: "Hi", index: 0 });
    session.emit("interrupted", { message: session.transcript[0]! });
    session.emit("toolcall", { name: "stock", arguments: { chair: "Alder" } });
    session.emit("error", { code: "engine_failed", message: "No answer" });
    expect(told).toEqual(types);
    expect(element).toMatchObject({ state: "live", activity: "thinking", transcript: session.transcript });
  });

  it("uses the relay of its attribute, otherwise the default relay, otherwise the page's own origin", async () => {
    const asked: (string | null)[] = [];
    for (const [attributes, setting] of [
      [{ relay: "https://talk.example/visavis/" }, "https://relay.example"],
      [{}, "https://relay.example"],
      [{ relay: "" }, "https://relay.example"],
      [{}, ""],
    ] as const) {
      setDefaultRelay(setting);
      await mount(attributes);
      element.say("Hello");
      asked.push(element.made.at(-1)?.relay ?? null);
      element.remove();
    }
    const [own, loaders] = ["https://talk.example/visavis", "https://relay.example"];
    expect(asked).toEqual([own, loaders, loaders, ""]);
  });

  it("passes method calls on to the session, and applies what was set before the session existed", async () => {
    element = new ScriptedAvatar();
    element.script = session;
    const tool = { name: "t", description: "", parameters: {}, run: () => null };
    element.setVariables({ plan: "pro" });
    element.registerTool(tool);
    element.setAttribute("context-id", "ctx_test");
    document.body.append(element);
    await settled();
    await element.send("Hello");
    element.say("Welcome");
    element.interrupt();
    element.volume = 0.5;
    await element.end();
    expect(session.calls).toEqual(
      expect.arrayContaining([
        ["setVariables", { plan: "pro" }],
        ["registerTool", tool],
        ["send", "Hello"],
        ["say", "Welcome"],
        ["interrupt"],
        ["end"],
      ]),
    );
    expect(session.volume).toBe(0.5);
  });

  it("refuses a tool that no model could be offered, by its field, and keeps those before", async () => {
    await mount();
    const tool = { name: "stock", description: "", parameters: {}, run: () => null };
    const wrong: [given: unknown, field: string][] = [
      [null, "name"],
      [undefined, "name"],
      [{}, "name"],
      [{ ...tool, name: "in stock" }, "name"],
      [{ ...tool, name: "n".repeat(65) }, "name"],
      [{ ...tool, name: 5 }, "name"],
      [{ ...tool, description: { en: "Pieces" } }, "description"],
      [{ ...tool, parameters: [] }, "parameters"],
      [{ ...tool, parameters: "object" }, "parameters"],
      [{ ...tool, run: undefined }, "run"],
    ];
    for (const [given, named] of wrong) {
      const fault = new TypeError(`${named} is not valid`);
      expect(() => element.registerTool(given as ClientTool)).toThrow(fault);
    }
    // Optional for pages without TypeScript, as in requests.
    const bare = { name: "tool-1", run: () => null } as unknown as ClientTool;
    element.registerTool(bare);
    await element.send("Hello");
    const told = session.calls.flatMap(([method, given]) => (method === "registerTool" ? [given] : []));
    expect(told).toContain(bare);
    expect(told.every((given) => (given as ClientTool).name.startsWith("tool-"))).toBe(true);
  });

  it("takes a volume from 0 to 1, and says so of what is no number", async () => {
    await mount();
    element.volume = 0.25;
    for (const given of [Number.NaN, undefined, "loud"])
      expect(() => (element.volume = given as number)).toThrow(new TypeError("volume is not valid"));
    expect(element.volume).toBe(0.25);
    element.volume = 7;
    expect(element.volume).toBe(1);
  });

  it.each([
    [Number.NaN, 1],
    ["loud", 1],
    [0.5, 0.5],
    [9, 1],
    [-1, 0],
  ])("is made where a page has set the volume %s before", (before, volume) => {
    const name = `visavis-early-${String(before).replace(/\W/g, "-").toLowerCase()}`;
    const early = document.createElement(name);
    Object.assign(early, { volume: before });
    customElements.define(name, class extends ScriptedAvatar {});
    document.body.append(early);
    customElements.upgrade(early);
    expect(Reflect.get(early, "volume")).toBe(volume);
    early.remove();
  });

  it("rejects start() with the session's error and opens the panel that shows it", async () => {
    await mount();
    session.onStart = () => {
      session.emit("error", { code: "connection_failed", message: "No way" });
      session.become("error");
      return Promise.reject(new VisavisError("connection_failed", "No way"));
    };
    await expect(element.start()).rejects.toMatchObject({ code: "connection_failed" });
    await settled();
    expect(text("[part=error-code]")).toBe("connection_failed");
    expect(text(".vv-page h2")).toBe("Mara isn’t available right now");
    session.onStart = () => Promise.resolve();
    button("Try again")!.click();
    await settled();
    expect(session.calls.filter(([name]) => name === "start")).toHaveLength(2);
  });

  it.each([
    ["context_not_found", false],
    ["context_inactive", true],
    ["origin_not_allowed", false],
    ["network", true],
  ] as const)("says plainly why %s keeps the context from it", async (code, retry) => {
    session.offered = new VisavisError(code, "no");
    await mount({ variant: "inline" });
    expect(text("[part=error-code]")).toBe(code);
    expect(element.state).toBe("error");
    expect(button("Try again") !== undefined).toBe(retry);
  });

  it("asks for consent after a retry too, when the context was loaded late", async () => {
    session.offered = new VisavisError("network", "no");
    await mount({ variant: "inline" });
    session.offered = { ...scriptedContext, ui: { consent_text: "Is that all right?" } };
    button("Try again")!.click();
    await settled();
    expect(element.state).toBe("idle");
    expect(session.calls).not.toContainEqual(["start"]);
    expect(text(".vv-note")).toContain("Is that all right?");
  });

  it("tells its session whether it can be seen: by its panel, and by what the browser says of its place", async () => {
    let look: (isIntersecting: boolean) => void = () => undefined;
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        constructor(tell: (entries: { isIntersecting: boolean }[]) => void, options?: object) {
          // The stage's has none.
          if (options) look = (isIntersecting) => tell([{ isIntersecting }]);
        }
        observe = vi.fn();
        disconnect = vi.fn();
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    await mount();
    await goLive();
    expect(session.inView).toBe(true);
    element.removeAttribute("open");
    await vi.waitFor(() => expect(session.inView).toBe(false));
    // The video is not to wait until the browser has looked.
    element.setAttribute("open", "");
    await settled();
    expect(session.inView).toBe(true);
    for (const isSeen of [false, true]) {
      look(isSeen);
      expect(session.inView).toBe(isSeen);
    }
  });

  it("ends its session when it leaves the page, but not when it is moved in it", async () => {
    await mount();
    await goLive();
    const section = document.createElement("section");
    document.body.append(section);
    section.append(element);
    await settled();
    expect(session.calls).not.toContainEqual(["dispose"]);
    element.remove();
    await settled();
    expect(session.calls).toContainEqual(["dispose"]);
  });
});

describe("a live conversation", () => {
  it("shows captions word by word, and Interrupt stops them", async () => {
    await mount();
    await goLive();
    session.act("speaking");
    session.emit("caption", { text: "It fits beside it.", word: "fits", index: 1 });
    await settled();
    expect(text(".vv-caption")).toBe("It fits beside it.");
    expect(text(".vv-caption .now")).toBe("fits");
    expect($(".vv-captions")!.getAttribute("aria-live")).toBe("off");
    button("Interrupt")!.click();
    expect(session.calls).toContainEqual(["interrupt"]);
  });

  it("opens the composer when a letter is typed, and sends on Enter, but not on Shift+Enter or an input method's Enter", async () => {
    await mount();
    await goLive();
    press($(".vv-btn.end")!, "h");
    await settled();
    expect(field().value).toBe("h");
    expect(element.shadowRoot!.activeElement).toBe(field());
    field().value = "hello";
    field().dispatchEvent(new InputEvent("input", { bubbles: true }));
    press(field(), "Enter", { shiftKey: true });
    press(field(), "Enter", { isComposing: true });
    expect(session.calls.filter(([name]) => name === "send")).toEqual([]);
    press(field(), "Enter");
    await settled();
    expect(session.calls).toContainEqual(["send", "hello"]);
    expect(field().value).toBe("");
  });

  it("lets a letter go on in the field of an open transcript, from any control", async () => {
    await mount();
    await goLive();
    $(".vv-btn.main")!.click();
    await settled();
    field().value = "hell";
    field().dispatchEvent(new InputEvent("input", { bubbles: true }));
    press($(".vv-tools button")!, "o");
    await settled();
    expect(field().value).toBe("hello");
    expect(element.shadowRoot!.activeElement).toBe(field());
  });

  it("keeps the page's shortcuts from firing while the visitor types", async () => {
    await mount();
    await goLive();
    $(".vv-btn.main")!.click();
    await settled();
    const heard = vi.fn();
    document.addEventListener("keydown", heard);
    press($("textarea")!, "s");
    document.removeEventListener("keydown", heard);
    expect(heard).not.toHaveBeenCalled();
  });

  it("shows what a visitor, a model or an owner wrote as text, never as markup", async () => {
    const evil = `<img src=x onerror="alert(1)"><b>hi</b>`;
    session.offered = { ...scriptedContext, avatar_name: evil, ui: { suggestions: [evil] } };
    await mount();
    await goLive();
    expect(text(".vv-chip")).toBe(evil);
    $(".vv-btn.main")!.click();
    session.write("visitor", evil);
    session.write("avatar", evil);
    await settled();
    expect(text(".vv-a")).toBe(evil);
    expect(text(".vv-q")).toContain(evil);
    expect(element.shadowRoot!.querySelector(".vv-panel b, [onerror]")).toBeNull();
  });

  it("announces only complete answers to a screen reader", async () => {
    await mount();
    await goLive();
    session.write("avatar", "It is on", "streaming");
    await settled();
    expect(text("[role=log]")).toBe("");
    session.write("avatar", "It is on its way.");
    await settled();
    expect(text("[role=log]")).toBe("It is on its way.");
  });

  it("moves the focus between the controls with the arrow keys", async () => {
    await mount();
    await goLive();
    const [first, second] = element.shadowRoot!.querySelectorAll<HTMLElement>("[role=toolbar] button");
    first!.focus();
    press(first!, "ArrowRight");
    expect(element.shadowRoot!.activeElement).toBe(second);
    press(second!, "ArrowLeft");
    expect(element.shadowRoot!.activeElement).toBe(first);
  });

  it("hides the composer when text input is not allowed", async () => {
    session.offered = { ...scriptedContext, ui: { text_input: false } };
    await mount();
    await goLive();
    expect($(".vv-btn.main")).toBeNull();
    press($(".vv-btn.end")!, "h");
    await settled();
    expect($("textarea")).toBeNull();
  });

  it("offers a tap when sound is blocked", async () => {
    await mount();
    await goLive();
    session.emit("soundblocked", { blocked: true });
    await settled();
    button("Tap to hear Mara")!.click();
    expect(session.calls).toContainEqual(["resumeSound"]);
  });

  it("shows a thank-you page at the end, and can start again", async () => {
    await mount();
    await goLive();
    session.write("avatar", "Bye.");
    button("End the conversation")!.click();
    await settled();
    expect(text(".vv-page h2")).toBe("Thanks for talking");
    expect(text(".vv-page p")).toBe("Less than a minute with Mara, AI assistant.");
    button("Talk again")!.click();
    await settled();
    expect(session.calls.filter(([name]) => name === "start")).toHaveLength(2);
  });
});

describe("a minimised conversation", () => {
  const teaser = () => $("[part=launcher-teaser]");
  const count = () => $(".vv-count");
  const minimise = async (): Promise<void> => {
    element.close();
    // What comes while it closes is seen.
    await vi.waitFor(() => expect(dialog().open).toBe(false));
    await settled();
  };

  it("lets the avatar finish its sentence, and shows what was not heard as unread, until the panel is open", async () => {
    await mount();
    await goLive();
    await minimise();
    expect(session.calls).toContainEqual(["finishSentence"]);
    session.write("avatar", "The alpha chair is narrow.");
    await settled();
    expect(count()?.textContent).toBe("1");
    expect(teaser()?.textContent).toContain("The alpha chair is narrow.");
    teaser()!.querySelector<HTMLElement>(".vv-teaser-text")!.click();
    await settled();
    expect(dialog().open).toBe(true);
    expect(teaser()).toBeNull();
  });

  it("keeps an answer unread whose teaser was put away", async () => {
    await mount();
    await goLive();
    await minimise();
    session.write("avatar", "The alpha chair is narrow.");
    await settled();
    teaser()!.querySelector<HTMLElement>(".vv-teaser-close")!.click();
    await settled();
    expect([teaser(), count()?.textContent, dialog().open]).toEqual([null, "1", false]);
  });

  it("lets an interrupted answer be finished", async () => {
    await mount();
    await goLive();
    session.write("visitor", "Which chairs?");
    session.write("avatar", "The alpha chair.", "interrupted", { rest: " And the beta chair." });
    $(".vv-btn.main")!.click();
    await settled();
    button("Let Mara finish")!.click();
    expect(session.calls).toContainEqual(["resumeAnswer", "1"]);
  });
});

describe("clearing", () => {
  it("forgets the conversation, from the menu", async () => {
    await mount();
    await goLive();
    session.write("visitor", "What is the code word?");
    await settled();
    button("More")!.click();
    await settled();
    button("Clear and forget")!.click();
    await settled();
    expect(session.calls).toContainEqual(["clear"]);
    expect(element.shadowRoot!.textContent).not.toContain("code word");
  });
});

describe("a page with a strict content security policy", () => {
  it("uses no style attribute and no style element", async () => {
    await mount();
    await goLive();
    $(".vv-btn.main")!.click();
    session.write("visitor", "Hello");
    await settled();
    const styled = [...element.shadowRoot!.querySelectorAll("[style]")].filter(
      (found) => !found.closest(".vv-stage") && !found.matches("textarea, .vv-launch, .vv"),
    );
    expect(styled).toEqual([]);
    expect(element.shadowRoot!.querySelector("style")).toBeNull();
  });
});
