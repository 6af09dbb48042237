import type { Rating } from "../../client/index.ts";
import type { ReactiveControllerHost } from "lit";
import type { Variant, VariantTraits } from "../../protocol/settings/variant.ts";
import type { VisitorSettings } from "../settings/kept-settings.ts";
import type { TextLanguage } from "../texts/language.ts";
import type { Translate } from "../texts/texts.ts";
import type { Layout } from "./layout.ts";
import type { View } from "./view.ts";

/** What fills the panel; style sheets go by it. */
export type Mode = "voice" | "text" | "page" | "more" | "end";

/** What the element shows, derived before each rendering from its attributes, its session and the visitor's choices. */
export interface PanelModel {
  readonly t: Translate;
  /** Language of the widget's own texts. */
  readonly lang: string;
  /** The language that is wanted; null for English. */
  readonly language: TextLanguage | null;
  readonly direction: "ltr" | "rtl";
  readonly variant: Variant;
  readonly traits: VariantTraits;
  readonly layout: Layout;
  readonly view: View;
  readonly mode: Mode;
  readonly captionsOn: boolean;
  readonly textOpen: boolean;
  /** The conversation is in writing only: the visitor or the page wants no avatar, */
  readonly textOnly: boolean;
  /** or the browser cannot show it. */
  readonly unsupported: boolean;
  readonly transparent: boolean;
  /** The panel is part of the document. A floating one is from its first opening on. */
  readonly drawn: boolean;
  /** The panel has its controls. They come after the first frame. */
  readonly complete: boolean;
}

/** A rating, and whether it was sent. */
export interface GivenRating extends Rating {
  readonly status: "sending" | "sent" | "failed";
}

/** A message that the visitor leaves for a person. */
export interface MessageDraft {
  readonly isOpen: boolean;
  /** With it the message is sent, and sent again. */
  readonly id: string;
  /** What was written, by the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
  readonly agreed: boolean;
  /** The visitor wanted to send it: what is wrong is said. */
  readonly isChecked: boolean;
  readonly status: "writing" | "sending" | "failed" | "sent";
  /** The question after which it was sent. */
  readonly after: string;
}

/** What the visitor does with answers. */
export interface AnswerChoices {
  /** The question after which the visitor has scrolled while the avatar speaks, "" for none. */
  readonly readAheadOf?: string;
  /** The answer that is in the clipboard. */
  readonly copied?: string;
  /** The visitor's ratings, by `ratingKey`. */
  readonly ratings?: Readonly<Record<string, GivenRating>>;
  /** What was sent by forms, by the ids of their entries. */
  readonly sent?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The question after which the visitor has chosen a person from the menu, "" before any. */
  readonly personAfter?: string;
  /** The page was told that the visitor wants a person. */
  readonly handedOver?: boolean;
  readonly message?: MessageDraft;
}

/** What was chosen or written in the panel. */
export interface PanelChoices {
  readonly starting: boolean;
  /** The menu, or the settings in its place. */
  readonly moreOpen: boolean | "settings";
  /** Null until the visitor has chosen. */
  readonly textOpen: boolean | null;
  readonly settings: VisitorSettings;
  readonly draft: string;
  readonly copied: boolean;
  readonly answers: AnswerChoices;
}

/** What the visitor can do in the panel, and what was chosen or written there. */
export interface PanelActions {
  /** The text in the composer. */
  readonly draft: string;
  /** The transcript has been copied since the present page was opened. */
  readonly copied: boolean;
  readonly begin: () => void;
  readonly minimise: () => void;
  readonly interrupt: () => void;
  readonly playSound: () => void;
  readonly end: () => void;
  /** The visitor is still there. */
  readonly stay: () => void;
  readonly send: (text: string) => void;
  /** Asks a question again that has no answer, or only a part of one. */
  readonly retry: (id: string) => void;
  /** Removes a question that was not sent. */
  readonly discard: (id: string) => void;
  /** Lets the avatar say the rest of an interrupted answer. */
  readonly resume: (id: string) => void;
  /** Takes a spoken question back, with its answer, to be written. */
  readonly correct: (id: string) => void;
  readonly toggleText: () => void;
  readonly toggleCaptions: () => void;
  readonly toggleMore: () => void;
  readonly openSettings: () => void;
  /** What the visitor chose in the settings. */
  readonly settings: VisitorSettings;
  /** Changes settings, and remembers them. */
  readonly choose: (settings: VisitorSettings) => void;
  readonly changeDraft: (draft: string) => void;
  /** The transcript is in the clipboard. */
  readonly handleCopy: () => void;
  /** What the visitor does with answers. */
  readonly answers: AnswerChoices;
  /** Changes what was chosen or written, and draws the panel again. */
  readonly change: (choices: Partial<PanelChoices>) => void;
}

/** The element, as its controllers see it. */
export interface PanelHost extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
  /** Null before the first update. */
  readonly model: PanelModel | null;
}

/** What fills the panel for a view. */
export function modeOf({ page }: View, textOpen: boolean): Mode {
  if (page === "start") return "page";
  if (page === "ended" || page === "error") return "end";
  if (page === "more" || page === "settings") return "more";
  return textOpen ? "text" : "voice";
}
