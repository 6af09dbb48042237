import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Website } from "../../protocol/console/websites.ts";
import { errorText } from "../parts/error-text.ts";
import { texts } from "../texts/texts.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import { deleteWebsite, orderWebsite, restoreDocument, scheduleWebsite } from "./knowledge-requests.ts";
import { websiteView, type WebsiteActions } from "./website-view.ts";

/** The websites that are read, with what somebody can do with them. */
class WebsitesList extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    websites: { attribute: false },
  };
  declare websites: readonly Website[];

  constructor() {
    super();
    this.websites = [];
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.websites.length === 0) return nothing;
    const mayEdit = this.services.session.may("editor");
    return html`<ul class="sites" aria-label=${texts.knowledge.website.list}>
      ${repeat(
        this.websites,
        ({ id }) => id,
        (site) =>
          html`<li class="stack t">
            ${websiteView(site, mayEdit ? this.#actions(site) : null, this.isBusy)}
          </li>`,
      )}
    </ul>`;
  }

  #actions(site: Website): WebsiteActions {
    const { api } = this.services;
    const { id } = site;
    return {
      onRead: () => void this.#change(() => orderWebsite(api, id, "read")),
      onStop: () => void this.#change(() => orderWebsite(api, id, "stop")),
      onSchedule: (every) => void this.#change(() => scheduleWebsite(api, id, every)),
      onDelete: () => void this.#delete(site),
    };
  }

  async #change(act: () => Promise<unknown>): Promise<boolean> {
    const done = await this.do(async () => {
      await act();
      return true;
    });
    if (this.error !== null) this.services.toasts.show(errorText(this.error));
    this.onChanged();
    return done ?? false;
  }

  async #delete({ id, address, has_document: hasDocument }: Website): Promise<void> {
    const { api, toasts } = this.services;
    if (!(await this.#change(() => deleteWebsite(api, id)))) return;
    const text = texts.knowledge.documents.deleted(address);
    if (!hasDocument) {
      toasts.show(text);
      return;
    }
    const run = (): void => void this.#change(() => restoreDocument(api, id));
    toasts.show(text, { action: { label: texts.undo, run } });
  }
}

customElements.define("visavis-console-websites", WebsitesList);
