import { html, nothing, type TemplateResult } from "lit";
import { conversationCountSchema } from "../../protocol/console/conversations.ts";
import { embedContextListSchema } from "../../protocol/console/contexts.ts";
import { embedContextSchema, type EmbedContextAnswer } from "../../protocol/settings/embed-context.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { Loaded } from "../api/loaded.ts";
import { withValue } from "../editor/settings-path.ts";
import { select } from "../parts/field.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const contextsPath = "/api/console/b2c/contexts/";
const conversationsPath = "/api/console/conversations/";

/** How many days words may be kept here; 0: not at all. Other numbers are set in the avatar's settings. */
const choices = [0, 1, 7, 14, 30, 90];

/** How long what was said is kept, by avatar. */
class PrivacySection extends SettingsSection {
  readonly #contexts = new Loaded<EmbedContextAnswer[]>(this, (signal) =>
    this.services.api.request(contextsPath, { schema: embedContextListSchema, signal }),
  );

  override load(): Promise<void> {
    return this.#contexts.load();
  }

  protected override render(): TemplateResult {
    const { privacy } = texts.settings;
    return html`<section class="sheet" aria-labelledby="privacy-title">
      <header>
        <div>
          <h2 id="privacy-title">${privacy.title}</h2>
          <p>${privacy.lead}</p>
        </div>
      </header>
      ${whenLoaded(this.#contexts, (contexts) => html`${contexts.map((context) => this.#row(context))}`)}
      <div class="opt">
        <div>
          <b>${privacy.voices}</b>
          <p>${privacy.voicesText}</p>
        </div>
        <span class="sig idle">${texts.never}</span>
      </div>
      ${this.services.session.may("owner") ? this.#deleteAll() : nothing}
    </section>`;
  }

  #row(context: EmbedContextAnswer): TemplateResult {
    const { privacy } = texts.settings;
    const { retention_days: days = 0, ui = {} } = readConfig(context.embed_config);
    const name = ui.avatar_name ?? context.name;
    const all = [...new Set([...choices, days])].sort((one, other) => one - other);
    const isUntold = days > 0 && !ui.consent_text;
    return html`<div class="opt">
      <div>
        <b>${name}</b>
        <p>${isUntold ? privacy.untold : privacy.transcripts}</p>
      </div>
      ${
        this.services.session.may("editor")
          ? select({
              label: privacy.keep(name),
              value: String(days),
              choices: all.map((count) => ({ value: String(count), label: privacy.days(count) })),
              onChange: (value) => void this.#keep(context, Number(value)),
            })
          : html`<span>${privacy.days(days)}</span>`
      }
    </div>`;
  }

  async #keep(context: EmbedContextAnswer, days: number): Promise<void> {
    const body = withValue(context, "embed_config.retention_days", days);
    await this.change(
      () =>
        this.services.api.request(`${contextsPath}${context.id}/`, {
          method: "PUT",
          body,
          schema: embedContextSchema,
        }),
      texts.settings.privacy.saved,
    );
  }

  #deleteAll(): TemplateResult {
    const { privacy } = texts.settings;
    return html`<div class="opt">
      <div>
        <b>${privacy.deleteAll}</b>
        <p>${privacy.deleteAllText}</p>
      </div>
      <button class="btn sm del" ?disabled=${this.isBusy} @click=${() => void this.#removeAll()}>
        ${privacy.deleteAllButton}
      </button>
    </div>`;
  }

  async #removeAll(): Promise<void> {
    const { api, toasts } = this.services;
    let count = 0;
    const isDone = await this.change(async () => {
      const answer = await api.request(conversationsPath, {
        method: "DELETE",
        schema: conversationCountSchema,
      });
      count = answer.conversations;
    });
    if (!isDone) return;
    const restore = (): Promise<unknown> =>
      api.request("/api/console/conversation-restore/", { method: "POST", schema: conversationCountSchema });
    const run = (): void => void this.change(restore, texts.conversations.restored);
    toasts.show(texts.settings.privacy.deleted(count), { action: { label: texts.undo, run } });
  }
}

customElements.define("visavis-console-privacy", PrivacySection);

/** The section about what is kept of conversations. */
export const privacySection = (services: Services): TemplateResult =>
  html`<visavis-console-privacy .services=${services}></visavis-console-privacy>`;
