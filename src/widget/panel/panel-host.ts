import type { ReactiveControllerHost } from "lit";
import type { Variant, VariantTraits } from "../../protocol/variant.ts";
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
  readonly variant: Variant;
  readonly traits: VariantTraits;
  readonly layout: Layout;
  readonly view: View;
  readonly mode: Mode;
  readonly captionsOn: boolean;
  readonly textOpen: boolean;
  readonly transparent: boolean;
  /** The panel is part of the document. A floating one is from its first opening on. */
  readonly drawn: boolean;
  /** The panel has its controls. They come after the first frame. */
  readonly complete: boolean;
  /** Name of the content below the picture, or "" if there is none. */
  readonly below: string;
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
  readonly send: (text: string) => void;
  readonly toggleText: () => void;
  readonly toggleCaptions: () => void;
  readonly toggleMore: () => void;
  readonly changeDraft: (draft: string) => void;
  /** The transcript is in the clipboard. */
  readonly handleCopy: () => void;
}

/** The element, as its controllers see it. */
export interface PanelHost extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
  /** Null before the first update. */
  readonly model: PanelModel | null;
}

/** What fills the panel for a view. */
export function modeOf({ page, canType }: View, textOpen: boolean): Mode {
  if (page === "start") return "page";
  if (page === "ended" || page === "error") return "end";
  if (page === "more") return "more";
  return textOpen && canType ? "text" : "voice";
}
