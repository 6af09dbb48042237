// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { StageConfig, UiConfig } from "../../src/protocol/settings/embed-config.ts";
import type { PublicContext } from "../../src/protocol/session/relay-api.ts";
import { ScriptedAvatar, settled } from "./scripted-avatar.ts";
import { scriptedContext } from "./scripted-session.ts";

customElements.define("visavis-avatar", ScriptedAvatar);

let element: ScriptedAvatar;

afterEach(() => element.remove());

/** An element in the page, with what its owner and its page have set. */
async function mount(
  { ui = {}, stage = {}, ...more }: { ui?: UiConfig; stage?: StageConfig; [more: string]: unknown },
  attributes: Record<string, string> = {},
): Promise<void> {
  element = new ScriptedAvatar();
  const context: PublicContext = {
    ...scriptedContext,
    ...more,
    ui,
    stage: { ...stage, transparent: stage.transparent ?? false },
  };
  element.script.offered = context;
  for (const [name, value] of Object.entries({ "context-id": "ctx_test", ...attributes }))
    element.setAttribute(name, value);
  document.body.append(element);
  await settled(element);
}

async function goLive(): Promise<void> {
  const { script } = element;
  void element.start();
  script.become("live");
  await settled(element);
}

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const words = (selector: string) => $(selector)?.textContent.replace(/\s+/g, " ").trim();
const hostRules = () =>
  element
    .shadowRoot!.adoptedStyleSheets.map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join(""))
    .join("");

describe("the owner's settings", () => {
  it("variant decides whether the avatar has a launcher, unless the attribute names another", async () => {
    await mount({ ui: { variant: "inline" } });
    expect($(".vv-launcher")).toBeNull();
    expect($("section.vv-shell")?.dataset["fit"]).toBe("inline");
    element.remove();
    await mount({ ui: { variant: "inline" } }, { variant: "bubble" });
    expect($(".vv-launcher")).not.toBeNull();
    expect($("section")).toBeNull();
  });

  it("placement says where launcher and panel stand, unless the attribute does", async () => {
    await mount({ ui: { placement: "top-left" } });
    expect($(".vv-launch")?.dataset["place"]).toBe("top-left");
    element.open();
    await settled(element);
    expect($("dialog")?.dataset["place"]).toBe("top-left");
    element.remove();
    await mount({ ui: { placement: "top-left" } }, { placement: "bottom-center" });
    expect($(".vv-launch")?.dataset["place"]).toBe("bottom-center");
  });

  it("theme makes the element dark, unless the attribute makes it light", async () => {
    await mount({ ui: { theme: "dark" } });
    expect(element.hasAttribute("data-dark")).toBe(true);
    element.setAttribute("theme", "light");
    await settled(element);
    expect(element.hasAttribute("data-dark")).toBe(false);
  });

  it("colour, radius and font become rules of the element's own style sheet", async () => {
    await mount({ ui: { brand_color: "#B4235A", radius: 7, font: "Georgia, serif" } });
    const rules = hostRules();
    expect(rules).toContain("--visavis-brand: #B4235A");
    expect(rules).toContain("--visavis-radius-panel: 7px");
    expect(rules).toContain("--visavis-font: Georgia, serif");
  });

  it("texts replace the widget's own, in the language of the lang attribute first", async () => {
    const ui = { texts: { launcher: "Ask {name}", "de.launcher": "{name} fragen" } };
    await mount({ ui });
    expect(words(".vv-launch b")).toBe("Ask Mara");
    element.setAttribute("lang", "de-AT");
    await settled(element);
    expect(words(".vv-launch b")).toBe("Mara fragen");
  });

  it("the owner's name is shown as the reader of the messages", async () => {
    await mount({ ui: { variant: "inline", owner_name: "Alder & Sons" } });
    expect(words(".vv-note")).toContain("Your messages go to Alder & Sons");
    element.remove();
    await mount({ ui: { variant: "inline" } });
    expect(words(".vv-note")).toContain(`Your messages go to ${scriptedContext.name}`);
  });

  it("suggestions are offered as buttons that send them", async () => {
    await mount({ ui: { suggestions: ["Delivery", "Returns"] } });
    await goLive();
    const chips = [...element.shadowRoot!.querySelectorAll<HTMLElement>(".vv-chip")];
    expect(chips.map((chip) => chip.textContent.trim())).toEqual(["Delivery", "Returns"]);
    chips[1]!.click();
    expect(element.script.calls).toContainEqual(["send", "Returns"]);
  });

  it.each([
    ["session", "sessionStorage", "localStorage"],
    ["device", "localStorage", "sessionStorage"],
  ] as const)(
    "consent_remember %j keeps the visitor's consent in %s",
    async (consent_remember, kept, other) => {
      sessionStorage.clear();
      localStorage.clear();
      const ui = {
        variant: "inline",
        consent_text: `${consent_remember}: nothing is kept.`,
        consent_remember,
      } as const;
      await mount({ ui });
      const asked = element.send("Does it fit?");
      await settled(element);
      expect(element.script.calls).not.toContainEqual(["send", "Does it fit?"]);
      $(".big")!.click();
      await asked;
      expect(element.script.calls).toContainEqual(["send", "Does it fit?"]);
      await settled(element);
      expect(globalThis[kept].getItem("visavis-consent:ctx_gallery")).toBe(ui.consent_text);
      expect(globalThis[other].getItem("visavis-consent:ctx_gallery")).toBeNull();
    },
  );

  it.each<[string, (avatar: ScriptedAvatar) => unknown, unknown[]]>([
    ["start()", (avatar) => avatar.start(), ["start"]],
    ["say()", (avatar) => avatar.say("Look at the oak table."), ["say", "Look at the oak table."]],
  ])(
    "%s shows the consent page first, and goes on when the visitor has agreed",
    async (_name, call, then) => {
      sessionStorage.clear();
      await mount({ ui: { consent_text: `Is ${_name} all right?` } });
      void call(element);
      await settled(element);
      expect(words("[part=page]")).toContain(`Is ${_name} all right?`);
      expect(element.script.calls.filter(([name]) => name === "start" || name === then[0])).toEqual([]);
      $(".vv-cta.pri, .big")!.click();
      await settled(element);
      expect(element.script.calls).toContainEqual(["start"]);
      expect(element.script.calls).toContainEqual(then);
    },
  );

  it("attachments of the owner decide whether files can be attached", async () => {
    const attach = () => $("[aria-label='Attach a file']");
    await mount({ attachments: ["image"] }, { mode: "text" });
    await goLive();
    expect(attach()).not.toBeNull();
    element.remove();
    await mount({}, { mode: "text" });
    await goLive();
    expect(attach()).toBeNull();
  });

  it("feedback decides whether answers can be rated", async () => {
    for (const [ui, isRated] of [
      [{}, true],
      [{ feedback: false }, false],
    ] as const) {
      await mount({ ui }, { mode: "text" });
      await goLive();
      element.script.write("visitor", "Does it fit?");
      element.script.write("avatar", "It does.");
      await settled(element);
      expect($("[aria-label='Copy this answer']")).not.toBeNull();
      expect($("[aria-label='This helped']") !== null).toBe(isRated);
      element.remove();
    }
  });

  it("data_layer names the array of the page that gets the events", async () => {
    await mount({ analytics: { data_layer: "shopEvents" } });
    await goLive();
    await vi.waitFor(() =>
      expect(Reflect.get(window, "shopEvents")).toContainEqual({ event: "visavis_start" }),
    );
    expect(Reflect.get(window, "dataLayer")).toBeUndefined();
  });

  it("the page before the start links the privacy page", async () => {
    await mount({ ui: { variant: "inline", privacy_url: "https://alder.example/privacy" } });
    expect($(".vv-note a")?.getAttribute("href")).toBe("https://alder.example/privacy");
  });

  it.each([
    [30, "", "What is said is kept for 30 days, then deleted."],
    [1, "", "What is said is kept for 1 day, then deleted."],
    [14, "de", "Was gesagt wird, wird 14 Tage lang aufbewahrt und dann gelöscht."],
    [2, "ar", "يُحفظ ما يُقال لمدة يومان ثم يُحذف."],
    [7, "ja", "会話の内容は7 日間保存され、その後削除されます。"],
  ])("visitors are told that words are kept for %j days, lang=%j", async (retention_days, lang, sentence) => {
    await mount({ ui: { variant: "inline" }, retention_days }, lang ? { lang } : {});
    expect(words(".vv-note")).toContain(sentence);
  });

  it.each([0, undefined, "30", -1])("retention_days %j tells visitors nothing", async (retention_days) => {
    await mount({ ui: { variant: "inline" }, retention_days });
    expect($(".vv-note span")).toBeNull();
  });

  it("the error page links the owner's other contact", async () => {
    await mount({ ui: { variant: "inline", contact_url: "https://alder.example/contact" } });
    element.script.emit("error", { code: "connection_failed", message: "No connection" });
    element.script.become("error");
    await settled(element);
    expect($('a[href="https://alder.example/contact"]')?.textContent.trim()).toBe("Contact us another way");
  });

  it.each(["https://alder.example/contact", "mailto:help@alder.example", "tel:+431234567"])(
    "%s is offered beside asking again after a question without an answer",
    async (contact_url) => {
      await mount({ ui: { variant: "inline", contact_url } });
      element.script.become("live");
      element.script.write("visitor", "Does it fit?", "failed", { fault: "engine_failed" });
      await settled(element);
      expect($(`a[href="${contact_url}"]`)?.textContent.trim()).toBe("Contact us");
    },
  );

  it.each([
    [{ captions: false }, {}, false],
    [{ captions: false }, { captions: "true" }, true],
    [{}, { captions: "false" }, false],
    [{}, {}, true],
  ])("captions %j with the attribute %j are shown: %s", async (ui, attributes, shown) => {
    await mount({ ui }, attributes);
    await goLive();
    element.script.act("speaking");
    element.script.emit("caption", { text: "It fits.", word: "fits.", index: 1 });
    await settled(element);
    expect($(".vv-caption") !== null).toBe(shown);
  });

  it.each([
    [{ transparent: true }, {}],
    [{}, { transparent: "" }],
  ])("a transparent stage %j or the attribute %j leaves the background out", async (stage, attributes) => {
    await mount({ ui: { variant: "inline" }, stage }, attributes);
    await goLive();
    expect($(".vv-shell")?.hasAttribute("data-transparent")).toBe(true);
  });

  it("the stage has its background without them", async () => {
    await mount({ ui: { variant: "inline" } });
    await goLive();
    expect($(".vv-shell")?.hasAttribute("data-transparent")).toBe(false);
  });
});

describe("the page's attributes", () => {
  it("mode, lang and context-id are passed to the new session", async () => {
    await mount({}, { mode: "voice", lang: "pt-BR", "context-id": "ctx_other" });
    expect(element.made.at(-1)).toMatchObject({ mode: "voice", locale: "pt-BR", contextId: "ctx_other" });
  });

  it("mode text shows the transcript from the start, and the real picture where it is large", async () => {
    await mount({}, { mode: "text" });
    await goLive();
    expect($("textarea")).not.toBeNull();
    element.remove();
    await mount({ ui: { consent_text: "We keep nothing. All right?" } }, { mode: "text" });
    element.open();
    await settled(element);
    expect($("textarea")).toBeNull();
    expect($(".vv-stage")).not.toBeNull();
  });

  it("a session that can only be in writing shows the transcript, and says why", async () => {
    await mount({});
    element.script.mode = "text";
    await goLive();
    const why = "This browser can’t show the avatar, so Mara answers in writing.";
    expect($("textarea")).not.toBeNull();
    expect(words(".vv-writes")).toBe(why);
    await vi.waitFor(() => expect(words("p[role=status]")).toBe(why));
    element.script.write("visitor", "Are you there?");
    await settled(element);
    expect(words("p[role=status]")).toBe("Ready");
  });

  it("open opens and closes the panel, and the page gets the events", async () => {
    await mount({});
    const heard: string[] = [];
    for (const name of ["open", "close"]) element.addEventListener(`visavis-${name}`, () => heard.push(name));
    element.setAttribute("open", "");
    await settled(element);
    expect($("dialog")).toMatchObject({ open: true });
    element.close();
    await settled(element);
    expect(heard).toEqual(["open", "close"]);
  });
});
