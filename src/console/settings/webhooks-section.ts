import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  type Webhook,
  webhookCreatedSchema,
  webhookDeliverySchema,
  webhookEvents,
  webhookListSchema,
  webhookSchema,
} from "../../protocol/console/webhooks.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { moment } from "../format.ts";
import { modal, question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError, textField } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { onceNote } from "../parts/once-note.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";
import { eventName, outcomeOf, webhookLog } from "./webhook-log.ts";

const path = "/api/console/webhooks/";

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** Where the owner is told of events. */
class WebhooksSection extends SettingsSection {
  static override properties: PropertyDeclarations = {
    ...SettingsSection.properties,
    isAdding: { state: true },
    error: { state: true },
    noEvent: { state: true },
    made: { state: true },
    removing: { state: true },
    reading: { state: true },
  };
  declare isAdding: boolean;
  declare error: ApiError | null;
  /** Whether somebody wanted to add a webhook without any event. */
  declare noEvent: boolean;
  /** The webhook that was added just now; its secret is shown only once. */
  declare made: { address: string; secret: string } | null;
  declare removing: Webhook | null;
  /** The webhook whose log is shown. */
  declare reading: Webhook | null;
  readonly #webhooks = new Loaded<Webhook[]>(this, (signal) =>
    this.services.api.request(path, { schema: webhookListSchema, signal }),
  );

  constructor() {
    super();
    this.isAdding = false;
    this.error = null;
    this.noEvent = false;
    this.made = null;
    this.removing = null;
    this.reading = null;
  }

  override load(): Promise<void> {
    return this.#webhooks.load();
  }

  protected override render(): TemplateResult {
    const { webhooks } = texts.settings;
    const closeLog = (): void => {
      this.reading = null;
      void this.load();
    };
    return html`<section class="sheet" aria-labelledby="webhooks-title">
        <header>
          <div>
            <h2 id="webhooks-title">${webhooks.title}</h2>
            <p>${webhooks.lead}</p>
          </div>
          <button class="btn sm" @click=${() => (this.isAdding = true)}>
            ${icon("plus", 16)} ${webhooks.new}
          </button>
        </header>
        ${
          this.made
            ? onceNote(webhooks.made(hostOf(this.made.address)), webhooks.secret, this.made.secret)
            : nothing
        }
        ${whenLoaded(this.#webhooks, (all) => this.#list(all))}
      </section>
      ${this.isAdding ? this.#form() : nothing}${this.removing ? this.#ask(this.removing) : nothing}
      ${this.reading ? webhookLog(this.services, this.reading, closeLog) : nothing}`;
  }

  #list(all: readonly Webhook[]): TemplateResult {
    if (all.length === 0) return html`<p class="help">${texts.settings.webhooks.none}</p>`;
    return html`<ul class="rows hooks">
      ${all.map((webhook) => html`<li>${this.#row(webhook)}</li>`)}
    </ul>`;
  }

  #row(webhook: Webhook): TemplateResult {
    const { webhooks } = texts.settings;
    const { address, state, last_delivery: last } = webhook;
    const host = hostOf(address);
    const { isBusy } = this;
    const act = (label: string, run: () => void, kind = ""): TemplateResult => {
      const named = html`${label}<span class="sr"> ${host}</span>`;
      return html`<button class="btn sm ${kind}" ?disabled=${isBusy} @click=${run}>${named}</button>`;
    };
    const events = [...webhook.events.map(eventName), ...(webhook.with_words ? [webhooks.words] : [])];
    const lastly = last && webhooks.last(moment(last.attempted_at ?? last.at), outcomeOf(last));
    return html`<div class="t">
        <b title=${address}>${address}</b>
        <span>${events.join(", ")}</span>
        <span>${lastly ?? webhooks.nothingSent}</span>
      </div>
      <span class="sig ${state === "on" ? "" : "bad"}">${webhooks.state[state]}</span>
      <div class="acts">
        ${state === "on" ? nothing : act(webhooks.turnOn, () => void this.#turnOn(webhook))}
        ${act(webhooks.test, () => void this.#test(webhook))}
        ${act(webhooks.log, () => (this.reading = webhook))}
        ${act(webhooks.remove, () => (this.removing = webhook), "del")}
      </div>`;
  }

  async #test({ id }: Webhook): Promise<void> {
    const { api, toasts } = this.services;
    await this.change(async () => {
      const request = { method: "POST", schema: webhookDeliverySchema } as const;
      toasts.show(outcomeOf(await api.request(`${path}${id}/test/`, request)));
    });
  }

  #turnOn({ id, address }: Webhook): Promise<boolean> {
    return this.change(
      () => this.services.api.request(`${path}${id}/on/`, { method: "POST", schema: webhookSchema }),
      texts.settings.webhooks.turnedOn(hostOf(address)),
    );
  }

  #form(): TemplateResult {
    const { webhooks } = texts.settings;
    const close = (): void => {
      this.isAdding = false;
      this.noEvent = false;
      this.error = null;
    };
    const fault = this.error?.fields["address"] ?? (this.error ? errorText(this.error) : undefined);
    const content = html`<form class="fields" @submit=${this.#add}>
      ${textField({
        id: "hook-address",
        name: "address",
        label: webhooks.address,
        help: webhooks.addressHelp,
        required: true,
        maxLength: 2_000,
        error: fault,
      })}
      <fieldset class="checks" aria-describedby=${this.noEvent ? "hook-events-error" : nothing}>
        <legend class="lab">${webhooks.when}</legend>
        ${webhookEvents.map(
          (event) =>
            html`<label class="row">
              <input type="checkbox" name="event" value=${event} checked />${eventName(event)}
            </label>`,
        )}
        ${fieldError("hook-events", this.noEvent ? webhooks.noEvent : undefined)}
      </fieldset>
      <div class="checks">
        <label class="row">
          <input type="checkbox" name="words" aria-describedby="hook-words-help" />${webhooks.withWords}
        </label>
        <p class="help" id="hook-words-help">${webhooks.withWordsHelp}</p>
      </div>
      <div class="acts">
        <button type="button" class="btn" @click=${close}>${texts.cancel}</button>
        <button class="btn pri" ?disabled=${this.isBusy}>${webhooks.add}</button>
      </div>
    </form>`;
    return modal({ title: webhooks.new, content, onClose: close });
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const typed = new FormData(event.target);
    const events = typed.getAll("event");
    this.error = null;
    this.noEvent = events.length === 0;
    if (this.noEvent) return;
    const body = { address: typed.get("address"), events, with_words: typed.has("words") };
    this.isBusy = true;
    try {
      const schema = webhookCreatedSchema;
      this.made = await this.services.api.request(path, { method: "POST", body, schema });
      this.isAdding = false;
      void this.load();
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }

  #ask({ id, address }: Webhook): TemplateResult {
    const { webhooks } = texts.settings;
    const host = hostOf(address);
    return question({
      title: webhooks.askRemove(host),
      text: webhooks.askRemoveText,
      yes: webhooks.remove,
      no: texts.cancel,
      isDangerous: true,
      onNo: () => (this.removing = null),
      onYes: () => {
        this.removing = null;
        this.made = null;
        const remove = () => this.services.api.request(`${path}${id}/`, { method: "DELETE" });
        void this.change(remove, webhooks.removed(host));
      },
    });
  }
}

customElements.define("visavis-console-webhooks", WebhooksSection);

/** The section with the webhooks. */
export const webhooksSection = (services: Services): TemplateResult =>
  html`<visavis-console-webhooks .services=${services}></visavis-console-webhooks>`;
