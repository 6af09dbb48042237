import { uiConfigSchema, type UiConfig } from "../protocol/embed-config.ts";
import { defaultDrawer, type Drawer, type DrawingSettings } from "../protocol/drawing-settings.ts";
import type { EmbedContext } from "../protocol/embed-context.ts";
import type { LauncherRecord, PublicContext } from "../protocol/relay-api.ts";
import { launcherHint } from "../protocol/launcher-hint.ts";
import { ownTurnSettings, type TurnSettings } from "../protocol/turn-settings.ts";
import type { PublicVoice } from "../protocol/voice-settings.ts";
import type { Variant } from "../protocol/variant.ts";
import { withAssistantTexts } from "./assistant-texts.ts";
import type { StyleView } from "./catalogue.ts";
import { launcherStyles } from "./launcher-styles.ts";
import { launcherTexts } from "./launcher-texts.ts";

/** Default idle time after which a conversation ends, in seconds. */
const defaultIdleTimeoutSec = 180;

/** The settings that browsers may read: only the known ones. Other keys of `ui` are not sent. */
function visibleUi(ui: UiConfig): UiConfig {
  return Object.fromEntries(Object.entries(ui).filter(([key]) => key in uiConfigSchema.shape));
}

/** What `toPublicContext` needs besides the context. */
export interface PublicContextParts {
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
export interface LauncherParts {
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
