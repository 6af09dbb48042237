import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import {
  defaultVariant,
  variants,
  type Variant,
  type VariantTraits,
} from "../../protocol/settings/variant.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Surroundings } from "../settings/surroundings-controller.ts";
import { textsFor, type TextLanguage } from "../texts/language.ts";
import { layoutOf, opensColumn } from "./layout.ts";
import type { LazyViews, ViewName } from "./lazy-views.ts";
import type { PanelController } from "./panel-controller.ts";
import { modeOf, type Mode, type PanelModel } from "./panel-host.ts";
import { viewOf } from "./view.ts";

/** What a model is derived from. */
interface Origins {
  element: HTMLElement & { mode: string | null; captions: string | null; transparent: boolean };
  variant: Variant;
  ui: UiConfig;
  language: TextLanguage | null;
  direction: "ltr" | "rtl";
  session: Pick<SessionController, "snapshot" | "context" | "current">;
  /** What the visitor chose. */
  panel: Pick<PanelController, "textOpen" | "settings" | "starting" | "moreOpen">;
  surroundings: Surroundings;
  /** The panel has been opened. */
  used: boolean;
  /** The loader's frame stands in the page until the visitor acts. */
  framed?: boolean;
}

/** The model without what depends on the views that have been loaded. */
export type ShownModel = Omit<PanelModel, "complete">;

/** The view that fills the panel in each mode; in voice mode its controls do. */
const viewNames: { readonly [Name in Mode]: ViewName | null } = {
  voice: null,
  text: "transcript",
  page: "pages",
  more: "pages",
  end: "pages",
};

/** The traits of a variant in this place: only an element that fills the window can be left. */
export function traitsOf(variant: Variant, element: HTMLElement): VariantTraits {
  const traits: VariantTraits = variants[variant];
  return traits.leaves && element.parentElement !== document.body ? { ...traits, leaves: false } : traits;
}

/** The view that fills the panel. */
function viewName({ view, mode }: ShownModel): ViewName | null {
  return view.page === "settings" ? "settings" : viewNames[mode];
}

/** Derives what is shown. Pure but for the language without one given, which it reads from the element's surroundings. */
export function shownModel({
  element,
  variant,
  ui,
  language,
  direction,
  session,
  panel,
  surroundings,
  used,
  framed = false,
}: Origins): ShownModel {
  const { snapshot, context } = session;
  const own = traitsOf(variant, element);
  const { viewport, box, offline } = surroundings;
  const { settings } = panel;
  const unsupported = session.current?.mode === "text" && element.mode !== "text";
  const textOnly = element.mode === "text" || unsupported || settings.textOnly === true;
  const textInput = ui.text_input !== false;
  const textOpen = textOnly || (panel.textOpen ?? (textInput && opensColumn(variant, box)));
  const captionsOn =
    settings.captions ?? (element.captions == null ? ui.captions : element.captions !== "false") ?? true;
  const view = viewOf(snapshot, {
    starting: panel.starting,
    moreOpen: panel.moreOpen,
    captions: captionsOn,
    textInput,
    suggestions: Boolean(ui.suggestions?.length),
    beginOnPicture: !own.floating,
    offline,
  });
  const shape = own.small && (textOpen || view.page !== "conversation") ? defaultVariant : variant;
  const traits = traitsOf(shape, element);
  const layout = layoutOf(shape, viewport, box, textOpen, textOnly);
  // A menu takes its room from the picture, wherever it is.
  const menu = view.page === "more" || view.page === "settings";
  return {
    ...textsFor(element, ui, context?.avatar_name ?? "", ui.owner_name ?? context?.name ?? "", language),
    language,
    direction,
    variant,
    traits,
    layout: menu ? { ...layout, kind: "stacked" } : layout,
    view,
    mode: modeOf(view, textOpen),
    captionsOn,
    textOpen,
    textOnly,
    unsupported,
    transparent: element.transparent || context?.stage.transparent === true || traits.transparent === true,
    drawn:
      used ||
      (!traits.floating && !traits.leaves && (view.page !== "start" || (context !== null && !framed))),
  };
}

/** The views of the panel that are needed now. */
export function panelViews(shown: ShownModel, firstFrameOver: boolean): ViewName[] {
  const { drawn, layout, view, traits, textOpen, language } = shown;
  if (!drawn) return [];
  const name = viewName(shown);
  const pictureAlone = traits.floating && view.page === "conversation" && !textOpen;
  const needed: ViewName[] = [];
  if (firstFrameOver || !pictureAlone) needed.push("chrome");
  if (layout.kind === "overlay") needed.push("overlay");
  if (traits.small) needed.push(traits.small);
  if (name) needed.push(name);
  if (language) needed.push("languages");
  return needed;
}

/** The views that the visitor will need next in a session. */
export function nextViews({ view, traits, drawn }: ShownModel): ViewName[] {
  if (!drawn) return ["extras"];
  if (view.page !== "conversation") return [];
  const next: ViewName[] = view.canType ? ["transcript", "pages"] : ["pages"];
  return traits.floating || traits.leaves ? [...next, "extras"] : next;
}

/** Whether the panel's parts can be drawn. */
export function isComplete({ drawn, language }: ShownModel, { loaded }: Pick<LazyViews, "loaded">): boolean {
  return drawn && loaded.chrome !== undefined && language?.ready !== false;
}
