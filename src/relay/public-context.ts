import { uiConfigSchema, type UiConfig } from "../protocol/embed-config.ts";
import type { EmbedContext } from "../protocol/embed-context.ts";
import type { LauncherRecord, PublicContext } from "../protocol/relay-api.ts";
import type { StyleView } from "./catalogue.ts";

/** Silence after which a conversation is ended, where the owner sets nothing, in seconds. */
const defaultIdleTimeoutSec = 300;

/** The settings a browser may read: the known ones. What else an owner keeps in `ui` stays here. */
function visibleUi(ui: UiConfig): UiConfig {
  return Object.fromEntries(Object.entries(ui).filter(([key]) => key in uiConfigSchema.shape));
}

/** What `toPublicContext` needs besides the context. */
export interface PublicContextParts {
  style: StyleView;
  /** Path of the background under the relay. */
  background: string | null;
  direct: boolean;
  /** The address of a path under the relay. */
  address(path: string): string;
}

function avatarName(context: EmbedContext, style: StyleView): string {
  return context.embed_config.ui?.avatar_name ?? style.title ?? context.name;
}

/** What a browser may know of the context: no instructions, origins, tool servers, limits by visitor or addresses. */
export function toPublicContext(context: EmbedContext, parts: PublicContextParts): PublicContext {
  const { style, background, direct, address } = parts;
  const { stage = {}, ui = {}, limits = {} } = context.embed_config;
  return {
    context_id: context.context_id,
    name: context.name,
    avatar_name: avatarName(context, style),
    greeting: context.greeting,
    model_style: {
      name: style.name,
      matte: stage.matte ?? style.matte,
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
    ui: visibleUi(ui),
    idle_timeout_sec: limits.idle_timeout_sec ?? defaultIdleTimeoutSec,
    max_session_sec: context.max_session_sec,
    direct,
  };
}

/** The largest launcher record, in bytes. */
const launcherRecordMaxBytes = 8_192;

/** The launcher's record; `still` is a data: address, left out when the record would grow beyond its limit. */
export function toLauncherRecord(
  context: EmbedContext,
  style: StyleView,
  still: string | null,
  widget: string,
): LauncherRecord {
  const ui = context.embed_config.ui ?? {};
  const name = avatarName(context, style);
  const text = (key: string, standard: string) =>
    (ui.texts?.[key] ?? standard).replaceAll("{name}", () => name);
  const record: LauncherRecord = {
    context_id: context.context_id,
    name,
    title: text("launcher", "Talk with {name}"),
    subtitle: text("launcher_hint", "AI assistant, by text"),
    hide_label: text("launcher_hide", "Hide"),
    variant: ui.variant ?? "bubble",
    placement: ui.placement ?? "bottom-right",
    theme: ui.theme ?? "auto",
    brand_color: ui.brand_color ?? null,
    still,
    widget,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(record)).byteLength;
  return bytes > launcherRecordMaxBytes ? { ...record, still: null } : record;
}
