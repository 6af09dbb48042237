import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  type Webhook,
  type WebhookDelivery,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
} from "../../protocol/console/webhooks.ts";
import type { ListPage } from "../api/api-client.ts";
import { Loaded } from "../api/loaded.ts";
import { exactTime, moment, momentWithin } from "../format.ts";
import { modal } from "../parts/dialog.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const pageSize = 30;

/** The name of an event. One of a newer server has none yet. */
export function eventName(type: string): string {
  const { events } = texts.settings.webhooks;
  return Object.entries(events).find(([event]) => event === type)?.[1] ?? type;
}

/** How a delivery is, in a sentence. */
export function outcomeOf({ state, status, problem, next_at: next, attempts }: WebhookDelivery): string {
  const { webhooks } = texts.settings;
  const why = problem === null ? "" : webhooks.problem[problem](status ?? 0);
  if (state === "delivered") return webhooks.delivered(status ?? 0);
  if (state === "failed") return why;
  return attempts === 0 || next === null ? webhooks.waiting : webhooks.again(why, momentWithin(next));
}

/** What was sent to a webhook, at the side of the page. */
class WebhookLog extends SettingsSection {
  static override properties: PropertyDeclarations = {
    ...SettingsSection.properties,
    webhook: { attribute: false },
    onClose: { attribute: false },
  };
  declare webhook: Webhook;
  declare onClose: () => void;
  readonly #deliveries = new Loaded<ListPage<WebhookDelivery>>(this, (signal) =>
    this.#page(undefined, signal),
  );

  get #path(): string {
    return `/api/console/webhooks/${this.webhook.id}/deliveries/`;
  }

  override load(): Promise<void> {
    return this.#deliveries.load();
  }

  #page(cursor?: string, signal?: AbortSignal): Promise<ListPage<WebhookDelivery>> {
    return this.services.api.page(this.#path, {
      query: { limit: pageSize, cursor },
      schema: webhookDeliveryListSchema,
      ...(signal && { signal }),
    });
  }

  protected override render(): TemplateResult {
    const { webhooks } = texts.settings;
    const content = html`<div class="hook-log">
      <p class="help">${webhooks.logLead}</p>
      ${whenLoaded(this.#deliveries, (page) => this.#list(page))}
      <div class="acts"><button class="btn" @click=${this.onClose}>${texts.close}</button></div>
    </div>`;
    return modal({ title: webhooks.log, content, isSide: true, onClose: this.onClose });
  }

  #list(page: ListPage<WebhookDelivery>): TemplateResult {
    const { webhooks } = texts.settings;
    if (page.items.length === 0) return html`<p>${webhooks.nothingSent}</p>`;
    const again = ({ type, at }: WebhookDelivery): TemplateResult =>
      html`${webhooks.sendAgain}<span class="sr"> ${eventName(type)}, ${moment(at)}</span>`;
    return html`<ul class="rows">
        ${page.items.map(
          (delivery) =>
            html`<li>
              <div class="t">
                <b>${eventName(delivery.type)}</b>
                <span title=${exactTime(delivery.at)}>${moment(delivery.at)}</span>
                <span class=${delivery.state === "failed" ? "failed" : ""}>${outcomeOf(delivery)}</span>
              </div>
              <button class="btn sm" ?disabled=${this.isBusy} @click=${() => void this.#again(delivery)}>
                ${again(delivery)}
              </button>
            </li>`,
        )}
      </ul>
      ${
        page.next === null
          ? nothing
          : html`<button class="btn" ?disabled=${this.isBusy} @click=${() => void this.#more(page)}>
              ${texts.states.loadMore}
            </button>`
      }`;
  }

  async #again({ id }: WebhookDelivery): Promise<void> {
    const { api, toasts } = this.services;
    await this.change(async () => {
      const request = { method: "POST", schema: webhookDeliverySchema } as const;
      toasts.show(outcomeOf(await api.request(`${this.#path}${id}/send/`, request)));
    });
  }

  async #more(page: ListPage<WebhookDelivery>): Promise<void> {
    this.isBusy = true;
    try {
      const { items, next } = await this.#page(page.next ?? undefined);
      this.#deliveries.set({ items: [...page.items, ...items], next });
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-webhook-log", WebhookLog);

/** The log of a webhook. */
export const webhookLog = (services: Services, webhook: Webhook, onClose: () => void): TemplateResult =>
  html`<visavis-console-webhook-log
    .services=${services}
    .webhook=${webhook}
    .onClose=${onClose}
  ></visavis-console-webhook-log>`;
