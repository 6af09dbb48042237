/** How far a conversation has come when the picture is taken. */
type Step = "launcher" | "opened" | "speaking" | "talking" | "transcript";

/** A picture of what one setting does. */
export interface ContextPicture {
  /** The setting, as docs/context.md names it; also the picture's file. */
  readonly key: string;
  /** Fields of the context. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly stage?: Readonly<Record<string, unknown>>;
  readonly ui?: Readonly<Record<string, unknown>>;
  readonly step: Step;
  /** What the avatar says, if it is not the greeting. */
  readonly says?: string;
  /** The whole page instead of the panel. */
  readonly wholePage?: true;
}

/** The settings that a picture can show. */
export const contextPictures: readonly ContextPicture[] = [
  { key: "model_style", context: { model_style: "tomas" }, step: "talking" },
  { key: "background_image", context: { background_image: "calm" }, step: "talking" },
  { key: "stage.padding_left", stage: { padding_left: 0.25 }, step: "talking" },
  { key: "stage.padding_top", stage: { padding_top: 0.4 }, step: "talking" },
  { key: "stage.padding_height", stage: { padding_height: 2 }, step: "talking" },
  { key: "stage.transparent", stage: { transparent: true }, step: "talking" },
  { key: "ui.variant-bubble", step: "talking", wholePage: true },
  { key: "ui.variant-inline", ui: { variant: "inline" }, step: "talking", wholePage: true },
  { key: "ui.variant-fullscreen", ui: { variant: "fullscreen" }, step: "talking", wholePage: true },
  { key: "ui.variant-compact", ui: { variant: "compact" }, step: "speaking", wholePage: true },
  { key: "ui.placement", ui: { placement: "bottom-left" }, step: "launcher", wholePage: true },
  { key: "ui.theme", ui: { theme: "dark" }, step: "talking" },
  { key: "ui.brand_color", ui: { brand_color: "#7a3e9d" }, step: "talking" },
  { key: "ui.radius", ui: { radius: 4 }, step: "talking" },
  { key: "ui.font", ui: { font: "Georgia, serif" }, step: "talking" },
  { key: "ui.texts", ui: { texts: { launcher: "Ask {name}" } }, step: "launcher", wholePage: true },
  { key: "ui.languages", ui: { languages: ["de"] }, step: "talking" },
  { key: "ui.suggestions", ui: { suggestions: ["Opening hours", "Delivery"] }, step: "talking" },
  {
    key: "ui.consent_text",
    ui: {
      consent_text: "Answers are written by a program. Nothing is kept after you leave.",
      privacy_url: "https://shop.example/privacy",
    },
    step: "opened",
  },
  { key: "ui.captions", ui: { captions: false }, step: "speaking" },
  { key: "ui.text_input", ui: { text_input: false, suggestions: [] }, step: "talking" },
  { key: "ui.feedback", step: "transcript", says: "The Alder chair costs 480 euros." },
  {
    key: "ui.links_allowed",
    ui: { links_allowed: ["shop.example"] },
    step: "transcript",
    says: "See [all chairs](https://shop.example/chairs).",
  },
];
