import { html, nothing, type TemplateResult } from "lit";
import { auditEntryListSchema, type AuditEntry } from "../../protocol/console/audit.ts";
import type { ListPage } from "../api/api-client.ts";
import { Loaded } from "../api/loaded.ts";
import { exactTime, moment } from "../format.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const pageSize = 50;

const isNamed = (operation: string): operation is keyof typeof texts.settings.audit.what =>
  Object.hasOwn(texts.settings.audit.what, operation);

/** What was done. Changes have the summaries of the interface's description. */
const whatOf = ({ operation, summary }: AuditEntry): string =>
  isNamed(operation) ? texts.settings.audit.what[operation] : summary || operation;

function whoOf({ by: { type, name } }: AuditEntry): string {
  const { audit } = texts.settings;
  if (type === "unknown") return audit.byUnknown;
  return type === "key" ? audit.byKey(name) : name;
}

/** Who changed what. */
class AuditSection extends SettingsSection {
  readonly #entries = new Loaded<ListPage<AuditEntry>>(this, (signal) => this.#page(undefined, signal));

  override load(): Promise<void> {
    return this.#entries.load();
  }

  #page(cursor?: string, signal?: AbortSignal): Promise<ListPage<AuditEntry>> {
    return this.services.api.page("/api/console/audit-log/", {
      query: { limit: pageSize, cursor },
      schema: auditEntryListSchema,
      ...(signal && { signal }),
    });
  }

  protected override render(): TemplateResult {
    const { audit } = texts.settings;
    return html`<section class="sheet" aria-labelledby="audit-title">
      <header>
        <div>
          <h2 id="audit-title">${audit.title}</h2>
          <p>${audit.lead}</p>
        </div>
      </header>
      ${whenLoaded(this.#entries, (page) => this.#list(page))}
    </section>`;
  }

  #list(page: ListPage<AuditEntry>): TemplateResult {
    const { audit } = texts.settings;
    if (page.items.length === 0) return html`<p class="help">${audit.none}</p>`;
    return html`<ul class="rows">
        ${page.items.map(
          (entry) =>
            html`<li>
              <div class="t">
                <b>${whatOf(entry)}${entry.target?.name ? html`: ${entry.target.name}` : nothing}</b>
                <span>${whoOf(entry)}${entry.address ? `, ${entry.address}` : ""}</span>
              </div>
              <span class="m" title=${exactTime(entry.at)}>${moment(entry.at)}</span>
            </li>`,
        )}
      </ul>
      ${
        page.next === null
          ? nothing
          : html`<button
              class="btn"
              ?disabled=${this.isBusy}
              @click=${() => void this.#more(page, page.next ?? undefined)}
            >
              ${texts.states.loadMore}
            </button>`
      }`;
  }

  async #more(page: ListPage<AuditEntry>, cursor: string | undefined): Promise<void> {
    this.isBusy = true;
    try {
      const next = await this.#page(cursor);
      this.#entries.set({ items: [...page.items, ...next.items], next: next.next });
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-audit", AuditSection);

/** The section with the audit log. */
export const auditSection = (services: Services): TemplateResult =>
  html`<visavis-console-audit .services=${services}></visavis-console-audit>`;
