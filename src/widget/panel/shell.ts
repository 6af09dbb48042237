import { html, nothing, type TemplateResult } from "lit";
import { ring } from "../stage/ring.ts";
import type { PanelModel } from "./panel-host.ts";
import type { PanelParts } from "./panel-state.ts";

/** What the shell is drawn from. */
export interface ShellProps {
  readonly model: PanelModel;
  /** Corner or edge of the page where a floating panel stands. */
  readonly place: string;
  /** The element fills the page: it is a child of the body. */
  readonly inViewport: boolean;
  /** The visitor has left it: only its launcher is shown. */
  readonly closed: boolean;
  readonly picture: HTMLElement;
  /** Where along the ring its top centre lies, in percent. */
  readonly ringStart: number;
  /** The panel's parts, once they are there; or what tells that they could not be loaded. */
  readonly parts: PanelParts | null;
  readonly handleKey: (event: KeyboardEvent) => void;
  readonly handleCancel: (event: Event) => void;
}

/** The panel's frame with the picture: a floating dialog, or a region of the page. */
export function shell(props: ShellProps): TemplateResult {
  const { model, place } = props;
  const { t, layout, mode, view } = model;
  const label = t("dialog");
  const inside = [html`<div class="vv-shade"></div>`, panel(props), props.parts?.announcements];
  const plain = layout.plain && mode === "text";
  if (model.traits.floating)
    return html`<dialog
      class="vv-shell"
      tabindex="-1"
      aria-label=${label}
      data-fit=${layout.fit}
      data-place=${place}
      data-layout=${layout.kind}
      data-mode=${mode}
      data-page=${view.page}
      data-badge=${props.parts?.badge ?? ""}
      ?data-transparent=${model.transparent}
      ?data-beside=${layout.beside && (mode === "voice" || mode === "page")}
      ?data-plain=${plain}
      @keydown=${props.handleKey}
      @cancel=${props.handleCancel}
    >
      ${inside}
    </dialog>`;
  return html`<section
    class="vv-shell"
    tabindex="-1"
    ?hidden=${props.closed}
    aria-label=${label}
    data-fit=${layout.fit}
    data-layout=${layout.kind}
    data-mode=${mode}
    data-page=${view.page}
    data-badge=${props.parts?.badge ?? ""}
    ?data-transparent=${model.transparent}
    ?data-wide=${layout.wide}
    ?data-viewport=${props.inViewport}
    ?data-plain=${plain}
    @keydown=${props.handleKey}
  >
    ${inside}
  </section>`;
}

function panel({ model, picture, ringStart, parts }: ShellProps): TemplateResult {
  const { view } = model;
  const state = parts?.ring ?? view.ring;
  return html`<div class="vv-panel" part="panel">
    ${parts?.top}
    <div class="vv-window" data-ring=${state}>
      ${picture}${ring(view.ringPercent, ringStart)}${parts?.overPicture}
    </div>
    ${parts ? parts.below : room(model)}
  </div>`;
}

/** Keeps the room of caption bar and controls until they are there. While connecting, the bar is shown without captions too. */
function room({ mode, layout }: PanelModel): TemplateResult | typeof nothing {
  if (mode !== "voice" || layout.kind === "overlay") return nothing;
  return html`<div class="vv-captions"></div>
    <div class="vv-controls"></div>`;
}
