import { html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  type ConsoleLogin,
  consoleLoginListSchema,
  passwordMinLength,
} from "../../protocol/console/accounts.ts";
import { Loaded } from "../api/loaded.ts";
import { moment } from "../format.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";
import { ApiError } from "../api/api-error.ts";
import { errorText } from "../parts/error-text.ts";
import { formTexts, textField } from "../parts/field.ts";

const path = "/api/console/logins/";

/** The browsers that are signed in. */
class LoginsSection extends SettingsSection {
  readonly #logins = new Loaded<ConsoleLogin[]>(this, (signal) =>
    this.services.api.request(path, { schema: consoleLoginListSchema, signal }),
  );

  override load(): Promise<void> {
    return this.#logins.load();
  }

  protected override render(): TemplateResult {
    const { logins } = texts.settings;
    return html`<section class="sheet" aria-labelledby="logins-title">
      <header>
        <div>
          <h2 id="logins-title">${logins.title}</h2>
          <p>${this.services.session.may("owner") ? logins.leadOwner : logins.lead}</p>
        </div>
      </header>
      ${whenLoaded(
        this.#logins,
        (all) =>
          html`<ul class="rows">
            ${all.map((login) => html`<li>${this.#row(login)}</li>`)}
          </ul>`,
      )}
    </section>`;
  }

  #row(login: ConsoleLogin): TemplateResult {
    const { logins } = texts.settings;
    const browser = login.user_agent ?? logins.unknown;
    return html`<div class="t">
        <b title=${browser}>${login.account.username}, ${browser}</b>
        <span>${logins.seen(moment(login.last_seen_at), login.address ?? "")}</span>
      </div>
      ${
        login.is_current
          ? html`<span class="sig">${logins.current}</span>`
          : html`<button class="btn sm del" ?disabled=${this.isBusy} @click=${() => void this.#end(login)}>
              ${logins.end}<span class="sr"> ${login.account.username}</span>
            </button>`
      } `;
  }

  #end({ id }: ConsoleLogin): Promise<boolean> {
    return this.change(
      () => this.services.api.request(`${path}${id}/`, { method: "DELETE" }),
      texts.settings.logins.ended,
    );
  }
}

customElements.define("visavis-console-logins", LoginsSection);

/** The section with the browsers that are signed in. */
export const loginsSection = (services: Services): TemplateResult =>
  html`<visavis-console-logins .services=${services}></visavis-console-logins>`;

/** The account's own password. */
class PasswordSection extends LitElement {
  static override properties: PropertyDeclarations = {
    services: { attribute: false },
    error: { state: true },
    isBusy: { state: true },
  };
  declare services: Services;
  declare error: ApiError | null;
  declare isBusy: boolean;

  constructor() {
    super();
    this.error = null;
    this.isBusy = false;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    const { password } = texts.settings;
    const { error } = this;
    const isElsewhere = error !== null && Object.keys(error.fields).length === 0;
    const present = error?.fields["current_password"] ?? (isElsewhere ? errorText(error) : undefined);
    return html`<section class="sheet" aria-labelledby="password-title">
      <header><h2 id="password-title">${password.title}</h2></header>
      <form class="fields" @submit=${this.#submit}>
        <div class="two">
          ${textField({
            id: "present-password",
            name: "current_password",
            type: "password",
            label: password.present,
            autocomplete: "current-password",
            required: true,
            error: present && (error?.fields["current_password"] ? password.wrong : present),
          })}
          ${textField({
            id: "new-password",
            name: "new_password",
            type: "password",
            label: password.new,
            help: texts.invitation.passwordHelp,
            autocomplete: "new-password",
            required: true,
            minLength: passwordMinLength,
            error: error?.fields["new_password"],
          })}
        </div>
        <div class="row w">
          <button class="btn" ?disabled=${this.isBusy}>${password.submit}</button>
          <p class="help">${password.help}</p>
        </div>
      </form>
    </section>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target;
    if (this.isBusy || !(form instanceof HTMLFormElement)) return;
    this.isBusy = true;
    this.error = null;
    try {
      await this.services.api.request("/api/console/password/", { method: "PUT", body: formTexts(form) });
      form.reset();
      this.services.toasts.show(texts.settings.password.changed);
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-password", PasswordSection);

/** The section with the account's own password. */
export const passwordSection = (services: Services): TemplateResult =>
  html`<visavis-console-password .services=${services}></visavis-console-password>`;
