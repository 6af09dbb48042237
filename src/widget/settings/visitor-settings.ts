import type { Placement } from "../../protocol/embed-config.ts";

/** Sizes of captions. */
export const captionSizes = ["small", "medium", "large"] as const;
export type CaptionSize = (typeof captionSizes)[number];

/** How fast the voice may speak, times the owner's rate. */
export const voiceRates = [0.75, 1, 1.25, 1.5] as const;
export type VoiceRate = (typeof voiceRates)[number];

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
