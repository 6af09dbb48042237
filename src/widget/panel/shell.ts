import { html, nothing, type TemplateResult } from "lit";
import type { Variant } from "../../protocol/embed-config.ts";
import type * as panelChrome from "./chrome.ts";
import type { Conversation } from "../session/session-snapshot.ts";
import type { LateModules } from "./lazy-views.ts";
import type { Layout } from "./layout.ts";
import type { PanelContext } from "./controls.ts";
import { ring } from "../stage/ring.ts";

/** Everything the shell is drawn from. */
export interface ShellContext extends PanelContext {
  readonly variant: Variant;
  readonly layout: Layout;
  readonly place: string;
  readonly inViewport: boolean;
  readonly transparent: boolean;
  readonly picture: () => HTMLElement;
  readonly ringStart: number;
  readonly conversation: Conversation;
  readonly contactUrl: string | null;
  readonly announcement: string;
  readonly draft: string;
  readonly changeDraft: (draft: string) => void;
  readonly late: LateModules;
  /** The panel's own parts, once they are there. */
  readonly chrome: typeof panelChrome | null;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onCancel: (event: Event) => void;
  readonly textOnly: boolean;
}

export type Mode = "voice" | "text" | "page" | "more" | "end";

/** What the panel is busy with; style sheets go by it. */
export function modeOf({ view, textOpen }: Pick<ShellContext, "view" | "textOpen">): Mode {
  if (view.page === "start") return "page";
  if (view.page === "ended" || view.page === "error") return "end";
  if (view.page === "more") return "more";
  return textOpen && view.canType ? "text" : "voice";
}

/** The whole widget but its launcher: a dialog that floats, or a region in the page. */
export function shell(context: ShellContext): TemplateResult {
  const { t, variant, layout, place, view } = context;
  const mode = modeOf(context);
  const inside = [html`<div class="vv-shade"></div>`, panel(context, mode), liveRegions(context)];
  const label = t("dialog");
  if (variant === "bubble")
    return html`<dialog
      class="vv-shell"
      tabindex="-1"
      aria-label=${label}
      data-fit=${layout.fit}
      data-place=${place}
      data-layout=${layout.kind}
      data-mode=${mode}
      data-page=${view.page}
      data-plate=${view.plate.kind}
      ?data-transparent=${context.transparent}
      ?data-beside=${layout.beside && (mode === "voice" || mode === "page")}
      ?data-plain=${layout.plain && mode === "text"}
      @keydown=${context.onKey}
      @cancel=${context.onCancel}
    >
      ${inside}
    </dialog>`;
  return html`<section
    class="vv-shell"
    aria-label=${label}
    data-fit=${layout.fit}
    data-layout=${layout.kind}
    data-mode=${mode}
    data-page=${view.page}
    data-plate=${view.plate.kind}
    ?data-transparent=${context.transparent}
    ?data-wide=${layout.wide}
    ?data-viewport=${context.inViewport}
    ?data-plain=${layout.plain && mode === "text"}
    @keydown=${context.onKey}
  >
    ${inside}
  </section>`;
}

function panel(context: ShellContext, mode: Mode): TemplateResult {
  const { view, picture, ringStart, variant, layout, chrome } = context;
  const wide = layout.kind === "sill" ? context.late.sill.get() : null;
  const bubble = variant === "bubble";
  const tools = { more: layout.kind === "panel", minimise: bubble };
  const withPlate = mode !== "end" && !wide;
  return html`<div class="vv-panel" part="panel">
    ${chrome?.topBar(context, tools)}
    <div class="vv-window" data-ring=${view.ring}>
      ${picture()}${ring(view.ring, view.ringPart, ringStart)}
      ${withPlate ? chrome?.nameplate(context) : nothing}${wide && mode !== "end" ? wide.sill(context, layout.fit) : nothing}
    </div>
    ${below(context, mode)}
  </div>`;
}

function below(context: ShellContext, mode: Mode): unknown {
  const { conversation, late, layout } = context;
  switch (mode) {
    case "page":
      return context.view.plate.kind === "begin"
        ? late.pages.get()?.inlineNote(context)
        : late.pages.get()?.startPage(context);
    case "end": {
      const views = late.pages.get();
      return context.view.page === "error"
        ? views?.errorPage(context, conversation, context.contactUrl)
        : views?.endedPage(context, conversation);
    }
    case "more":
      return late.pages.get()?.morePage(context, conversation);
    case "text": {
      const leave = !context.textOnly && layout.kind === "panel";
      return late.text.get()?.textView(context, conversation, context.draft, context.changeDraft, leave);
    }
    case "voice":
      return layout.kind === "sill" ? nothing : voice(context);
  }
}

/** Words and dock: their room first, then what stands in it. */
function voice(context: ShellContext): TemplateResult {
  const { t, chrome } = context;
  const { kind } = context.view.words;
  const words =
    context.captions || kind !== "none"
      ? html`<div class="vv-say" part="words" aria-live="off">${chrome?.wordsOf(context)}</div>`
      : html`<div class="vv-gap"></div>`;
  return html`${words}
    <div class="vv-dock" part="dock" role="toolbar" aria-label=${t("conversation")}>
      ${chrome?.dockContent(context)}
    </div>`;
}

/** The state, settled for a second, and whole answers: never single words. */
function liveRegions({ announcement, conversation }: ShellContext): TemplateResult {
  const answers = conversation.transcript
    .filter(({ role, status }) => role === "avatar" && status !== "streaming")
    .slice(-3);
  return html`<p class="vv-sr" role="status">${announcement}</p>
    <div class="vv-sr" role="log">${answers.map(({ text }) => html`<p>${text}</p>`)}</div>`;
}
