import type { UiConfig } from "../protocol/embed-config.ts";
import type { StyleView } from "./catalogue.ts";
import { isPhotoAsset } from "./photo-assets.ts";

/** The widget's texts that say that the avatar is an AI assistant. */
const sayingSo: ReadonlySet<string> = new Set([
  "ai_assistant",
  "dialog",
  "ended_many",
  "ended_one",
  "ended_short",
  "launcher_hint",
  "launcher_hint_written",
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
