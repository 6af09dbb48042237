import type { Placement } from "../../protocol/settings/embed-config.ts";
import type { SessionController } from "../session/session-controller.ts";
import { remembersConsent } from "../session/consent.ts";
import { isPlacement } from "./placements.ts";

/** Sizes of captions. */
export const captionSizes = ["small", "medium", "large"] as const;
type CaptionSize = (typeof captionSizes)[number];

/** How fast the voice may speak, times the owner's rate. */
export const voiceRates = [0.75, 1, 1.25, 1.5] as const;
type VoiceRate = (typeof voiceRates)[number];

/** What a visitor has chosen in the settings; nothing for what was left as it is. */
export interface VisitorSettings {
  /** BCP 47 tag. */
  readonly language?: string;
  readonly captions?: boolean;
  readonly captionSize?: CaptionSize;
  /** The avatar is not heard. */
  readonly silent?: boolean;
  readonly voiceRate?: VoiceRate;
  /** The transcript instead of the avatar. Implies `silent`. */
  readonly textOnly?: boolean;
  readonly reduceMotion?: boolean;
  /** Where the visitor has moved the launcher. */
  readonly placement?: Placement;
  /** Ids of the devices; "" for the system's own. */
  readonly microphone?: string;
  readonly speaker?: string;
}

const isBoolean = (value: unknown): boolean => typeof value === "boolean";

const isDevice = (value: unknown): boolean => typeof value === "string" && value.length <= 200;

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  language: (value) => typeof value === "string" && /^[\w-]{2,35}$/.test(value),
  captions: isBoolean,
  captionSize: (value) => captionSizes.some((size) => size === value),
  silent: isBoolean,
  voiceRate: (value) => voiceRates.some((rate) => rate === value),
  textOnly: isBoolean,
  reduceMotion: isBoolean,
  placement: isPlacement,
  microphone: isDevice,
  speaker: isDevice,
} satisfies Record<keyof VisitorSettings, (value: unknown) => boolean>;

/** The session that settings concern. */
type SettingsSession = Pick<SessionController, "context" | "setVariables">;

/** The model is told what the visitor asked for: the page's language is only where they happen to be. */
function tellModel(session: SettingsSession, { language }: VisitorSettings): void {
  if (language) session.setVariables({ language });
}

/** Takes up the settings that are remembered under a key. */
export function restoreSettings(session: SettingsSession, key: string): VisitorSettings {
  const settings = keptSettings(key);
  tellModel(session, settings);
  return settings;
}

/**
 * Remembers a visitor's settings in this browser, after the consent that starts a conversation: as long as the owner lets
 * the consent be remembered, on the device where none is asked for.
 */
export function keepSettings(session: SettingsSession, settings: VisitorSettings): void {
  tellModel(session, settings);
  if (!session.context) return;
  const { context_id, ui } = session.context;
  // The launcher can be moved before a conversation.
  if (ui.consent_text && !remembersConsent(session.context)) return;
  try {
    const store = ui.consent_text && ui.consent_remember !== "device" ? sessionStorage : localStorage;
    store.setItem(`visavis-settings:${context_id}`, JSON.stringify(settings));
    // The loader puts the launcher there before it knows anything else.
    if (settings.placement) store.setItem(`visavis-place:${context_id}`, settings.placement);
  } catch {
    // Storage is blocked or full: the settings hold for this page.
  }
}

/** The settings that are remembered under a key. What does not hold any more, or was changed by hand, is left out. */
export function keptSettings(key: string): VisitorSettings {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "{}");
    const entries = Object.entries(kept ?? {});
    return Object.fromEntries(
      entries.filter(([name, value]) => Object.hasOwn(checks, name) && checks[name]?.(value)),
    );
  } catch {
    return {};
  }
}
