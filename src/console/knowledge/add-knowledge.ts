import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Website } from "../../protocol/console/websites.ts";
import { icon, type IconName } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import "./files-form.ts";
import "./website-form.ts";
import "./websites-list.ts";
import "./write-form.ts";

/** Ways to add knowledge, as the page's address names them. */
export const addingWays = ["write", "files", "website"] as const;
export type AddingWay = (typeof addingWays)[number];

const icons: Readonly<Record<AddingWay, IconName>> = { write: "keyboard", files: "upload", website: "globe" };

/** The sheet that adds knowledge: three tabs (WAI-ARIA tabs pattern). What is typed in a tab stays while another one is shown. */
class AddKnowledge extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    way: { attribute: false },
    websites: { attribute: false },
    suggestedTitle: { attribute: false },
    onWay: { attribute: false },
  };
  declare way: AddingWay;
  declare websites: readonly Website[];
  /** What the title of a written text begins with. */
  declare suggestedTitle: string;
  declare onWay: (way: AddingWay) => void;

  constructor() {
    super();
    this.way = "website";
    this.websites = [];
    this.suggestedTitle = "";
    this.onWay = () => undefined;
  }

  protected override render(): TemplateResult {
    return html`<section class="sheet flush">
      <div class="add3" role="tablist" aria-label=${texts.knowledge.add.label} @keydown=${this.#key}>
        ${addingWays.map((way) => this.#tab(way))}
      </div>
      ${addingWays.map((way) => this.#panel(way))}
    </section>`;
  }

  #tab(way: AddingWay): TemplateResult {
    const isShown = way === this.way;
    return html`<button
      role="tab"
      id=${`add-${way}`}
      aria-controls=${`panel-${way}`}
      aria-selected=${isShown ? "true" : "false"}
      tabindex=${isShown ? "0" : "-1"}
      @click=${() => this.onWay(way)}
    >
      ${icon(icons[way])}<span>${texts.knowledge.add[way]}</span>
    </button>`;
  }

  #panel(way: AddingWay): TemplateResult {
    return html`<div
      role="tabpanel"
      class="panel"
      id=${`panel-${way}`}
      aria-labelledby=${`add-${way}`}
      ?hidden=${way !== this.way}
    >
      ${this.#content(way)}
    </div>`;
  }

  #content(way: AddingWay): TemplateResult {
    const { services, avatars, onChanged } = this;
    switch (way) {
      case "write":
        return html`<visavis-console-write-knowledge
          .services=${services}
          .avatars=${avatars}
          .onChanged=${onChanged}
          .suggestedTitle=${this.suggestedTitle}
        ></visavis-console-write-knowledge>`;
      case "files":
        return html`<visavis-console-knowledge-files
          .services=${services}
          .avatars=${avatars}
          .onChanged=${onChanged}
        ></visavis-console-knowledge-files>`;
      case "website":
        return html`<visavis-console-knowledge-website
            .services=${services}
            .avatars=${avatars}
            .onChanged=${onChanged}
          ></visavis-console-knowledge-website>
          <visavis-console-websites
            .services=${services}
            .websites=${this.websites}
            .onChanged=${onChanged}
          ></visavis-console-websites>`;
    }
  }

  readonly #key = (event: KeyboardEvent): void => {
    const index = addingWays.indexOf(this.way);
    const isRtl = getComputedStyle(this).direction === "rtl";
    const forward = isRtl ? "ArrowLeft" : "ArrowRight";
    const backward = isRtl ? "ArrowRight" : "ArrowLeft";
    const places: Readonly<Record<string, number>> = {
      [forward]: (index + 1) % addingWays.length,
      [backward]: index - 1,
      Home: 0,
      End: -1,
    };
    const place = places[event.key];
    const way = place === undefined ? undefined : addingWays.at(place);
    if (way === undefined) return;
    event.preventDefault();
    this.onWay(way);
    this.querySelector<HTMLElement>(`#add-${way}`)?.focus();
  };
}

customElements.define("visavis-console-add-knowledge", AddKnowledge);
