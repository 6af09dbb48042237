import { type UiConfig, uiConfigSchema } from "../../protocol/settings/embed-config.ts";
import type { StyleView } from "./catalogue.ts";
import { isPhotoAsset } from "../assets/photo-assets.ts";
import type { Variant } from "../../protocol/settings/variant.ts";
import { texts as ar } from "../../languages/ar.ts";
import { chooseLanguage, languageOfTexts, type LanguageTag } from "../../languages/choose-language.ts";
import { texts as de } from "../../languages/de.ts";
import { texts as es } from "../../languages/es.ts";
import { texts as fr } from "../../languages/fr.ts";
import { texts as he } from "../../languages/he.ts";
import { texts as it } from "../../languages/it.ts";
import { texts as ja } from "../../languages/ja.ts";
import { texts as ko } from "../../languages/ko.ts";
import { texts as ptBr } from "../../languages/pt-BR.ts";
import { texts as zhHans } from "../../languages/zh-Hans.ts";
import { texts as zhHant } from "../../languages/zh-Hant.ts";
import {
  defaultDrawer,
  type Drawer,
  type DrawingSettings,
} from "../../protocol/settings/drawing-settings.ts";
import type { EmbedContext } from "../../protocol/settings/embed-context.ts";
import type { LauncherRecord, PublicContext } from "../../protocol/session/relay-api.ts";
import { launcherHint } from "../../protocol/settings/launcher-hint.ts";
import { ownTurnSettings, type TurnSettings } from "../../protocol/settings/turn-settings.ts";
import type { PublicVoice } from "../../protocol/settings/voice-settings.ts";

/** The widget's texts that say that the avatar is an AI assistant. */
const sayingSo: ReadonlySet<string> = new Set([
  "ai_assistant",
  "dialog",
  "ended_many",
  "ended_one",
  "ended_short",
  "launcher_hint",
  "launcher_hint_written",
  "person_listens",
]);

/**
 * An owner may replace the widget's texts, but not those that say that a person's face is an AI assistant: nobody may pretend to be
 * the person.
 */
export function withAssistantTexts(ui: UiConfig, { porthole }: Pick<StyleView, "porthole">): UiConfig {
  if (!ui.texts || porthole === null || !isPhotoAsset(porthole)) return ui;
  const texts = Object.fromEntries(Object.entries(ui.texts).filter(([key]) => !sayingSo.has(key)));
  return { ...ui, texts };
}

/*
 * The loader's own style sheet (embed/loader.css) has only the room of an inline launcher. The rest comes with the record: each launcher
 * gets its own look, and the loader stays small.
 */

/**
 * Values of the design tokens, under the names that a page may set on the element; `--s` is its shadow. `--a` is the accent's lightness,
 * `--b` in the dark that of the bright ring, and `--c` the maximum chroma: every hue keeps its contrast.
 */
const tokens =
  ":host{--visavis-mat:#fdfcfa;--visavis-sunken:#f4f1ec;--visavis-ink:#1e1b18;--visavis-ink-2:#57514a;--visavis-brand:#0d6660;" +
  "--visavis-accent:var(--visavis-brand);--s:0 0 0 1px #3e301e0d,0 10px 28px -6px #3e301e42;--a:clamp(.2,l,.46);--c:.17}" +
  ":host([data-dark]){--visavis-mat:#1d1b19;--visavis-sunken:#332f2b;--visavis-ink:#f6f3ee;--visavis-ink-2:#c2bbb0;" +
  "--s:0 0 0 1px #ffffff14,0 10px 28px -6px #000000b3;--a:.77;--b:.85;--c:.13}" +
  "@supports (color:oklch(from red l c h)){:host{--visavis-accent:oklch(from var(--visavis-brand) var(--a) min(c,var(--c)) h)}}";

/** The box and its button. Of the page's own rules, whatever they say of texts, none is inherited. */
const base =
  ".vv-launch{all:initial;direction:ltr;display:flex;align-items:center;pointer-events:none;" +
  "font:medium/1.4 Inter,system-ui,sans-serif;color:var(--visavis-ink)}" +
  ":where(.vv-launch) button{all:unset;position:relative;cursor:pointer;pointer-events:auto;background:var(--visavis-mat);" +
  "border-radius:50%;box-shadow:var(--s)}" +
  ".vv-launch :focus-visible,.vv-launcher .vv-window{outline:2px solid var(--visavis-accent);outline-offset:2.5px}" +
  ".vv-launcher{flex:none;width:72px;height:72px}" +
  ".vv-launcher .vv-window{position:absolute;inset:7px;background:var(--visavis-sunken)}";

/**
 * Where a launcher in a corner stands. The owner chooses the corner, not the language: the box's direction follows its side, so
 * that the label slides out towards the page, and its texts have their own direction.
 */
const corner =
  ".vv-launch[data-place$=left]{--x:-1;direction:rtl;left:24px;right:auto}" +
  ".vv-launch[data-place^=top]{top:24px;bottom:auto}" +
  ".vv-launch[data-place$=center]{right:calc(50% - 36px)}" +
  ".vv-launch[data-place^=center]{bottom:calc(50% - 36px)}";

/** The picture. */
const still = ".vv-launcher *{border-radius:inherit}.vv-still{object-fit:contain;width:100%;height:100%}";

/** The ring is brighter under the pointer. In the dark the loader says how bright, and everywhere the maximum chroma. */
const ring =
  ".vv-launcher:is(:hover,:focus-visible) .vv-window{outline-offset:1.5px;" +
  "outline:4px solid oklch(from var(--visavis-brand) var(--b,.56) min(c*1.15,var(--c)) h)}";

/** In the browser's top layer (launcher.ts) the element itself is nothing but the place of what it shows. */
const topLayer = ":host([popover]){z-index:2147483000;border:0;padding:0;overflow:visible;background:none}";

/** A launcher in a corner: its label slides out towards the page, and it can be put away. `--x`: 1 on the right, -1 on the left. */
const bubble =
  topLayer +
  ".vv-launch{position:fixed;z-index:2147483000;right:24px;bottom:24px;flex-direction:row-reverse}" +
  corner +
  ".vv-launch{--x:1;transition:transform .22s}" +
  ".vv-launch[data-hidden]{transform:translate(calc(var(--x)*52px))}" +
  ".vv-launch[data-hidden][data-place$=center]{transform:translateY(52px)}" +
  // The outline is seen where colours are forced.
  ".vv-label{outline:2px solid #0000;font-size:.9375em;z-index:-1;display:grid;margin-inline-end:-36px;padding:10px 22px;" +
  "padding-inline-end:54px;border-radius:28px;background:var(--visavis-mat);box-shadow:var(--s);opacity:0;" +
  // Nothing else: its visibility would stay for that long on the panel, which opens behind it.
  "transform:translate(calc(var(--x)*8px));transition:opacity .22s,transform .22s}" +
  ".vv-label span{font-size:.9em;color:var(--visavis-ink-2)}" +
  ".vv-launch:not([data-hidden]):is(:hover,:has(:focus-visible)) .vv-label{opacity:1;transform:none;pointer-events:auto}" +
  "@media (prefers-reduced-motion){.vv-launch,.vv-label{transition:none}}";

/** A launcher that is a frame in the page. */
const frame =
  ".vv-launch{position:relative;z-index:1;flex-direction:column;justify-content:end;width:100%;height:100%}" +
  ".vv-launch:has(~.vv>*){display:none}" +
  ".vv-launch .vv-launcher{border-radius:32px;width:100%;height:100%;position:absolute;inset:0}" +
  ".vv-launcher .vv-window{inset:10px 10px 62px}" +
  ".vv-launch .vv-label{background:var(--visavis-accent);color:var(--visavis-mat);z-index:1;border-radius:28px;" +
  "margin-bottom:36px;padding:14px 24px}" +
  ".vv-launch .vv-label span{display:none}" +
  "@media (forced-colors:active){.vv-launcher{border:1px solid}}";

/** Nobody can talk with a sheet of paper. */
const printed = "@media print{.vv-launch{display:none}}";

/** What completes the style sheet of a launcher: the owner's colour, which has been validated, and the look of its variant. */
function launcherStyles(variant: Variant, brandColor: string | undefined): string {
  return (
    tokens +
    (brandColor ? `:host{--visavis-brand:${brandColor}}` : "") +
    base +
    still +
    ring +
    (variant === "inline" ? frame : bubble) +
    printed
  );
}

/** The texts of a launcher that the loader draws. */
const en = {
  launcher: "Talk with {name}",
  launcher_write: "Write to {name}",
  ai_assistant: "AI assistant",
  launcher_hint: "AI assistant, voice or text",
  launcher_hint_written: "AI assistant, by text",
  launcher_offline: "You’re offline. This starts when the connection is back.",
} as const;
type LauncherKey = keyof typeof en;

const languages: Readonly<Record<LanguageTag, Readonly<Record<LauncherKey, string>>>> = {
  en,
  ar,
  de,
  es,
  fr,
  he,
  it,
  ja,
  ko,
  "pt-BR": ptBr,
  "zh-Hans": zhHans,
  "zh-Hant": zhHant,
};

/**
 * Looks up a launcher's texts in the page's language, as far as the owner allows it. The owner's own texts win: those of the
 * language (`pt-BR.launcher`, `pt.launcher`), then those for any language (`launcher`).
 */
function launcherTexts(ui: UiConfig, pageLanguage: string, name: string): (key: LauncherKey) => string {
  const locale = chooseLanguage([pageLanguage], ui.languages);
  const lang = languageOfTexts(locale) ?? "en";
  const tags = [locale, lang, locale.split("-", 1)[0] ?? ""];
  return (key) => {
    const own = tags.map((tag) => ui.texts?.[`${tag}.${key}`]).find(Boolean);
    return (own ?? ui.texts?.[key] ?? languages[lang][key]).replaceAll("{name}", () => name);
  };
}

/** Default idle time after which a conversation ends, in seconds. */
const defaultIdleTimeoutSec = 180;

/** The settings that browsers may read: only the known ones. Other keys of `ui` are not sent. */
function visibleUi(ui: UiConfig): UiConfig {
  return Object.fromEntries(Object.entries(ui).filter(([key]) => key in uiConfigSchema.shape));
}

/** What `toPublicContext` needs besides the context. */
interface PublicContextParts {
  style: StyleView;
  /** Path of the background under the relay. */
  background: string | null;
  direct: boolean;
  /** The recognizer on the service that sessions of the context get, if any. */
  recognizer: string | undefined;
  /** The address of a path under the relay. */
  address(path: string): string;
}

/** Who recognizes visitors' speech, and how their turns are heard. The browser only does where the service does not. */
function voiceOf(
  { embed_config }: EmbedContext,
  recognizer: string | undefined,
): PublicVoice & Partial<TurnSettings> {
  const recognizes = recognizer !== undefined;
  return { ...ownTurnSettings(embed_config.voice), recognizer: recognizes, browser: !recognizes };
}

/** Who draws the avatar, and from what. Without a character's file only the service can. */
function drawingOf(
  { embed_config: { render = defaultDrawer } }: EmbedContext,
  character: string | null,
): { render: Drawer; drawing?: DrawingSettings } {
  return character ? { render, drawing: { character } } : { render: "remote" };
}

function avatarName(context: EmbedContext, style: StyleView): string {
  return context.embed_config.ui?.avatar_name ?? style.title ?? context.name;
}

/** What a browser may know about the context: no instructions, origins, tool servers, visitor limits or addresses. */
export function toPublicContext(context: EmbedContext, parts: PublicContextParts): PublicContext {
  const { style, background, direct, recognizer, address } = parts;
  const { stage = {}, ui = {}, limits = {}, analytics, attachments = [] } = context.embed_config;
  const { retention_days = 0 } = context.embed_config;
  return {
    context_id: context.context_id,
    name: context.name,
    avatar_name: avatarName(context, style),
    greeting: context.greeting,
    model_style: {
      name: style.name,
      matte: stage.matte ?? style.matte,
      ...(style.isOpaque && { opaque: true }),
      poster: style.poster && address(style.poster),
      still: style.porthole && address(style.porthole),
    },
    background: background && address(background),
    stage: {
      ...(stage.padding_left !== undefined && { padding_left: stage.padding_left }),
      ...(stage.padding_top !== undefined && { padding_top: stage.padding_top }),
      ...(stage.padding_height !== undefined && { padding_height: stage.padding_height }),
      transparent: stage.transparent ?? false,
    },
    ui: visibleUi(withAssistantTexts(ui, style)),
    idle_timeout_sec: limits.idle_timeout_sec ?? defaultIdleTimeoutSec,
    max_session_sec: context.max_session_sec,
    persist: context.embed_config.persist ?? "tab",
    direct,
    voice: voiceOf(context, recognizer),
    ...drawingOf(context, style.character && address(style.character)),
    ...(analytics && { analytics: { data_layer: analytics.data_layer } }),
    ...(attachments.length > 0 && { attachments }),
    ...(retention_days > 0 && { retention_days }),
  };
}

/** The largest launcher record, in bytes. */
const launcherRecordMaxBytes = 8_192;

/** What `toLauncherRecord` needs besides the context. */
interface LauncherParts {
  style: StyleView;
  /** A data: URL, left out if the record would be too large. */
  still: string | null;
  /** Path of the widget's module under the relay. */
  widget: string;
  /** BCP 47 tag; empty if the page did not say. */
  pageLanguage: string;
  /** The conversation will be in writing, as the page wants it. */
  inWriting: boolean;
  /** The browser has peer connections. Without them the avatar speaks only where it can be drawn there, and hears nothing. */
  hasPeers: boolean;
  /** The recognizer on the service that sessions of the context get, if any. */
  recognizer: string | undefined;
  /** The variant that the page wants. */
  pageVariant: Variant | undefined;
  /** The address of a path under the relay. */
  address(path: string): string;
}

/** The launcher's record, in the page's language. */
export function toLauncherRecord(
  context: EmbedContext,
  {
    style,
    still,
    widget,
    pageLanguage,
    pageVariant,
    inWriting,
    hasPeers,
    recognizer,
    address,
  }: LauncherParts,
): LauncherRecord {
  const { ui = {}, prefetch } = context.embed_config;
  const name = avatarName(context, style);
  const text = launcherTexts(withAssistantTexts(ui, style), pageLanguage, name);
  const variant = pageVariant ?? ui.variant ?? "bubble";
  const poster = variant === "inline" && style.poster ? address(style.poster) : null;
  const record: LauncherRecord = {
    context_id: context.context_id,
    name,
    title: text(inWriting || !(hasPeers || style.character) ? "launcher_write" : "launcher"),
    subtitle: text(launcherHint(ui, inWriting || !hasPeers, recognizer !== undefined)),
    offline: text("launcher_offline"),
    variant,
    placement: ui.placement ?? "bottom-right",
    theme: ui.theme ?? "auto",
    ...(prefetch === "idle" && { prefetch }),
    styles: launcherStyles(variant, ui.brand_color),
    still: poster ?? still,
    picture: style.porthole ? address(style.porthole) : "",
    widget,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(record)).byteLength;
  return bytes > launcherRecordMaxBytes ? { ...record, still: null } : record;
}
