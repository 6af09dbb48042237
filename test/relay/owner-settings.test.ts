import { describe, expect, test } from "vitest";
import type { EmbedConfig } from "../../src/protocol/settings/embed-config.ts";
import type { EmbedContext } from "../../src/protocol/settings/embed-context.ts";
import type { RelaySessionRequest } from "../../src/protocol/session/relay-session.ts";
import { recognizerOf } from "../../src/protocol/settings/voice-settings.ts";
import type { StyleView } from "../../src/relay/contexts/catalogue.ts";
import { toLauncherRecord, toPublicContext } from "../../src/relay/contexts/public-context.ts";
import { sessionCreateBody } from "../../src/relay/sessions/session-create.ts";

function contextWith(embed_config: EmbedConfig): EmbedContext {
  return {
    id: "8a7c1f5e-0000-4000-8000-000000000000",
    context_id: "ctx_test",
    name: "Alder Home",
    tts_type: "visavis-flite",
    model_style: "mina",
    greeting: "Hello.",
    instructions: "",
    background_image: null,
    max_session_sec: 0,
    is_active: true,
    embed_config,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
}

const style = {
  name: "mina",
  title: "Mina",
  matte: "packed-alpha",
  isOpaque: false,
  poster: null,
  porthole: null,
  character: null,
};

const publicViewOf = (config: EmbedConfig, ofStyle: Partial<StyleView> = {}) =>
  toPublicContext(contextWith(config), {
    style: { ...style, ...ofStyle },
    background: null,
    direct: true,
    recognizer: recognizerOf(config),
    address: (path) => path,
  });

/** The body of a session of a context whose recognizer the service has. */
const sessionOf = (config: EmbedConfig, request: RelaySessionRequest) =>
  sessionCreateBody(contextWith(config), request, {
    llmType: "small",
    recognizer: recognizerOf(config),
  });

const launcherOf = (config: EmbedConfig, pageLanguage = "") =>
  toLauncherRecord(contextWith(config), {
    style,
    still: null,
    widget: "/widget.js",
    pageLanguage,
    inWriting: false,
    hasPeers: true,
    recognizer: recognizerOf(config),
    pageVariant: undefined,
    address: (path) => path,
  });

describe("the owner's settings", () => {
  test("set the prompt, language model, document and tool servers of each session", () => {
    const config = { prompt: "shop", llm_type: "large", document: "catalogue", mcp_servers: ["orders"] };
    const request = { context_id: "ctx_test", mode: "avatar" } as const;
    expect(sessionOf(config, request)).toMatchObject(config);
    expect(sessionOf({}, request)).toMatchObject({
      prompt: contextWith({}).id,
      llm_type: "small",
    });
  });

  test("name the recognizer of each session that can be heard, and tell the widget that there is one", () => {
    const config = { stt_type: "own-ears" };
    const request = { context_id: "ctx_test", mode: "avatar" } as const;
    expect(sessionOf(config, request)).toMatchObject({
      capability: ["STF_WEBRTC", "LLM", "TTS", "STT"],
      ...config,
    });
    expect(publicViewOf(config).voice).toEqual({ recognizer: true, browser: false });
    for (const none of [{}, { stt_type: "auto" }]) {
      expect(sessionOf(none, request)).not.toHaveProperty("stt_type");
      expect(publicViewOf(none).voice).toEqual({ recognizer: false, browser: true });
    }
    const written = { ...request, mode: "text" } as const;
    expect(sessionOf(config, written)).not.toHaveProperty("stt_type");
  });

  test("tell the widget how the visitor's turns are heard, and nothing else of the voice", () => {
    const turns = {
      cloud_recognizer: true,
      pause_ms: 500,
      open_pause_ms: 3_000,
      begin_early: false,
      filler_texts: ["Let me see."],
      filler_after_ms: 900,
    };
    expect(publicViewOf({ voice: { ...turns, rate: 1.1 } }).voice).toEqual({
      ...turns,
      recognizer: false,
      browser: true,
    });
  });

  test("place the avatar alike in the session's picture and in the widget", () => {
    const stage = { padding_left: 0.25, padding_top: 0.1, padding_height: 1.5 };
    const body = sessionOf({ stage }, { context_id: "ctx_test", mode: "avatar" });
    expect(body).toMatchObject(stage);
    expect(publicViewOf({ stage }).stage).toEqual({ ...stage, transparent: false });
  });

  test("replace the matte of a model style", () => {
    expect(publicViewOf({ stage: { matte: "chroma:#00ff00" } }).model_style.matte).toBe("chroma:#00ff00");
    expect(publicViewOf({}).model_style.matte).toBe("packed-alpha");
  });

  test("say that a picture has kept its background only where it has", () => {
    expect(publicViewOf({}).model_style).not.toHaveProperty("opaque");
    expect(publicViewOf({}, { isOpaque: true }).model_style.opaque).toBe(true);
  });

  test("say how many days words are kept, where they are", () => {
    expect(publicViewOf({ retention_days: 30 })["retention_days"]).toBe(30);
    expect(publicViewOf({ retention_days: 0 })).not.toHaveProperty("retention_days");
    expect(publicViewOf({})).not.toHaveProperty("retention_days");
  });

  test("name the avatar in the public view and on the launcher", () => {
    const config = { ui: { avatar_name: "Mara" } };
    expect([publicViewOf(config).avatar_name, launcherOf(config).title]).toEqual(["Mara", "Talk with Mara"]);
    expect(publicViewOf({}).avatar_name).toBe("Mina");
  });

  test("shape the launcher: variant, placement, theme, colour and texts", () => {
    const ui = { variant: "inline", placement: "top-left", theme: "dark" } as const;
    const texts = { launcher: "Ask {name}", launcher_hint: "Now", launcher_hide: "Away" };
    const record = launcherOf({ ui: { ...ui, brand_color: "#b4235a", texts } });
    expect(record).toMatchObject({ ...ui, title: "Ask Mina", subtitle: "Now" });
    expect(record.styles).toContain(":host{--visavis-brand:#b4235a}");
  });

  test("tell the loader to load the widget ahead, where the owner wants that", () => {
    expect(launcherOf({ prefetch: "idle" }).prefetch).toBe("idle");
    expect(launcherOf({ prefetch: "intent" })).toEqual(launcherOf({}));
  });

  test("give the launcher the page's language, as far as they allow it", () => {
    expect(launcherOf({}, "ko-KR").title).toBe("Mina에게 물어보기");
    expect(launcherOf({}, "sv").title).toBe("Talk with Mina");
    const german = {
      stt_type: "ears",
      ui: { languages: ["de", "en"], texts: { "de.launcher": "{name} fragen" } },
    };
    expect(launcherOf(german, "ko-KR")).toMatchObject({
      title: "Mina fragen",
      subtitle: "KI-Assistenz, per Sprache oder Text",
    });
    expect(launcherOf(german, "en-GB").title).toBe("Talk with Mina");
  });

  test("are what the launcher says of voice and text", () => {
    const subtitleOf = (ui: EmbedConfig["ui"]) => launcherOf({ ui, stt_type: "ears" }).subtitle;
    expect(subtitleOf({})).toBe("AI assistant, voice or text");
    // Whether the visitor's own browser recognizes speech is found out later.
    expect(launcherOf({ stt_type: "auto" }).subtitle).toBe("AI assistant");
    expect(subtitleOf({ voice_mode: "off" })).toBe("AI assistant, by text");
    expect(subtitleOf({ text_input: false })).toBe("AI assistant");
  });

  test("limit the language of a session", () => {
    const localeOf = (ui: EmbedConfig["ui"], locale?: string) =>
      sessionOf({ ui }, { context_id: "ctx_test", mode: "avatar", ...(locale && { locale }) }).extra_data;
    expect(localeOf({}, "sv-SE")).toMatchObject({ locale: "sv-SE" });
    expect(localeOf({ languages: ["de", "en"] }, "sv-SE")).toMatchObject({ locale: "de" });
    expect(localeOf({ languages: ["de", "en"] })).toMatchObject({ locale: null });
  });
});
