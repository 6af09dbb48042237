import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  apiKeyCreatedSchema,
  apiKeyListSchema,
  type ApiKeyInConsole,
} from "../../protocol/console/api-keys.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { day } from "../format.ts";
import { modal, question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { formTexts, textField } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { onceNote } from "../parts/once-note.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const path = "/api/console/api-keys/";

/** The keys of the owner's own programs. */
class ApiKeysSection extends SettingsSection {
  static override properties: PropertyDeclarations = {
    ...SettingsSection.properties,
    isNaming: { state: true },
    error: { state: true },
    made: { state: true },
    revoking: { state: true },
  };
  declare isNaming: boolean;
  declare error: ApiError | null;
  /** The key that was made just now; it is shown only once. */
  declare made: { name: string; key: string } | null;
  declare revoking: ApiKeyInConsole | null;
  readonly #keys = new Loaded<ApiKeyInConsole[]>(this, (signal) =>
    this.services.api.request(path, { schema: apiKeyListSchema, signal }),
  );

  constructor() {
    super();
    this.isNaming = false;
    this.error = null;
    this.made = null;
    this.revoking = null;
  }

  override load(): Promise<void> {
    return this.#keys.load();
  }

  protected override render(): TemplateResult {
    const { keys } = texts.settings;
    return html`<section class="sheet" aria-labelledby="keys-title">
        <header>
          <div>
            <h2 id="keys-title">${keys.title}</h2>
            <p>${keys.lead}</p>
          </div>
          <button class="btn sm" @click=${() => (this.isNaming = true)}>
            ${icon("plus", 16)} ${keys.new}
          </button>
        </header>
        ${this.made ? onceNote(keys.made(this.made.name), keys.newKey, this.made.key) : nothing}
        ${whenLoaded(this.#keys, (all) => this.#table(all))}
      </section>
      ${this.isNaming ? this.#form() : nothing}${this.revoking ? this.#ask(this.revoking) : nothing}`;
  }

  #table(all: readonly ApiKeyInConsole[]): TemplateResult {
    const { keys } = texts.settings;
    if (all.length === 0) return html`<p class="help">${keys.none}</p>`;
    return html`<div class="table-wrap" tabindex="0" role="region" aria-labelledby="keys-title">
      <table>
        <thead>
          <tr>
            <th scope="col">${keys.name}</th>
            <th scope="col" class="opt2">${keys.created}</th>
            <th scope="col">${keys.expires}</th>
            <th scope="col"><span class="sr">${texts.settings.actions}</span></th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            (key) =>
              html`<tr>
                <td class="b">${key.name}</td>
                <td class="num q2 opt2">${day(key.created_at)}</td>
                <td class="num q2">${this.#validity(key)}</td>
                <td>
                  ${
                    key.status === "active"
                      ? html`<button class="btn sm del" @click=${() => (this.revoking = key)}>
                          ${keys.revoke}<span class="sr"> ${key.name}</span>
                        </button>`
                      : nothing
                  }
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #validity({ status, at }: ApiKeyInConsole): string {
    const { keys } = texts.settings;
    if (status === "active") return at === null ? texts.never : day(at);
    const when = at === null ? "" : day(at);
    return status === "expired" ? keys.expired(when) : keys.revoked(when);
  }

  #form(): TemplateResult {
    const { keys } = texts.settings;
    const close = (): void => {
      this.isNaming = false;
      this.error = null;
    };
    const content = html`<form class="fields" @submit=${this.#create}>
      ${textField({
        id: "key-name",
        name: "name",
        label: keys.name,
        help: keys.nameHelp,
        required: true,
        maxLength: 200,
        error: this.error === null ? undefined : (this.error.fields["name"] ?? errorText(this.error)),
      })}
      ${textField({
        id: "key-expiry",
        name: "expiry",
        type: "date",
        label: keys.expiry,
        help: keys.expiryHelp,
        error: this.error?.fields["expires_at"],
      })}
      <div class="acts">
        <button type="button" class="btn" @click=${close}>${texts.cancel}</button>
        <button class="btn pri" ?disabled=${this.isBusy}>${keys.create}</button>
      </div>
    </form>`;
    return modal({ title: keys.new, content, onClose: close });
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const { name = "", expiry = "" } = formTexts(event.target);
    const body = { name, ...(expiry !== "" && { expires_at: new Date(`${expiry}T23:59:59`).toISOString() }) };
    this.isBusy = true;
    this.error = null;
    try {
      this.made = await this.services.api.request(path, {
        method: "POST",
        body,
        schema: apiKeyCreatedSchema,
      });
      this.isNaming = false;
      void this.load();
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }

  #ask(key: ApiKeyInConsole): TemplateResult {
    const { keys } = texts.settings;
    return question({
      title: keys.askRevoke(key.name),
      text: keys.askRevokeText,
      yes: keys.revoke,
      no: texts.cancel,
      isDangerous: true,
      onNo: () => (this.revoking = null),
      onYes: () => {
        this.revoking = null;
        void this.change(
          () => this.services.api.request(`${path}${key.id}/`, { method: "DELETE" }),
          keys.wasRevoked(key.name),
        );
      },
    });
  }
}

customElements.define("visavis-console-api-keys", ApiKeysSection);

/** The section with the API keys. */
export const apiKeysSection = (services: Services): TemplateResult =>
  html`<visavis-console-api-keys .services=${services}></visavis-console-api-keys>`;
