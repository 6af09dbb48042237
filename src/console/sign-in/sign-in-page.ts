import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { ApiError } from "../api/api-error.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError, formTexts } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import type { SessionKeeper } from "../session.ts";
import { texts } from "../texts/texts.ts";
import portrait from "../../../public/characters/mina-porthole.webp?no-inline";
import "./sign-in.css";

const storageKey = "visavis-console-username";

/** The form to sign in, on its own page or over a page whose session has ended. */
class SignInForm extends LitElement {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    knownUsername: { attribute: false },
    error: { state: true },
    isBusy: { state: true },
    showsPassword: { state: true },
    showsUsername: { state: true },
  };
  declare session: SessionKeeper;
  /** Who was signed in before; null: unknown. */
  declare knownUsername: string | null;
  declare error: unknown;
  declare isBusy: boolean;
  declare showsPassword: boolean;
  declare showsUsername: boolean;

  constructor() {
    super();
    this.knownUsername = null;
    this.error = null;
    this.isBusy = false;
    this.showsPassword = false;
    this.showsUsername = (localStorage.getItem(storageKey) ?? "") !== "";
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLInputElement>("#sign-in-password")?.focus();
  }

  protected override render(): TemplateResult {
    const { isBusy } = this;
    return html`<form class="fields" @submit=${this.#submit} novalidate>
      ${this.showsUsername ? this.#username() : nothing} ${this.#password()}
      <button class="btn pri" ?disabled=${isBusy}>
        ${isBusy ? texts.signIn.signingIn : texts.signIn.submit}
      </button>
      ${
        this.showsUsername
          ? nothing
          : html`<button type="button" class="btn quiet" @click=${() => (this.showsUsername = true)}>
              ${texts.signIn.withUsername}
            </button>`
      }
    </form>`;
  }

  #username(): TemplateResult {
    const value = this.knownUsername ?? localStorage.getItem(storageKey) ?? "";
    return html`<div class="f">
      <label for="sign-in-username">${texts.signIn.username}</label>
      <input
        class="in"
        id="sign-in-username"
        name="username"
        autocomplete="username"
        autocapitalize="none"
        .value=${value}
        aria-describedby="sign-in-username-help"
      />
      <p class="help" id="sign-in-username-help">${texts.signIn.usernameHelp}</p>
    </div>`;
  }

  #password(): TemplateResult {
    const error = this.error === null ? undefined : errorText(this.error);
    const label = this.showsPassword ? texts.signIn.hide : texts.signIn.show;
    return html`<div class="f">
      <label for="sign-in-password">${texts.signIn.password}</label>
      <div class="pw">
        <input
          class="in"
          id="sign-in-password"
          name="password"
          type=${this.showsPassword ? "text" : "password"}
          autocomplete="current-password"
          aria-invalid=${error ? "true" : "false"}
          aria-describedby=${error ? "sign-in-password-error" : nothing}
        />
        <button
          type="button"
          class="icb"
          aria-label=${label}
          aria-pressed=${this.showsPassword ? "true" : "false"}
          @click=${() => (this.showsPassword = !this.showsPassword)}
        >
          ${icon("eye")}
        </button>
      </div>
      ${fieldError("sign-in-password", error)}
    </div>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const { password = "", username = "" } = formTexts(event.target);
    const field = this.querySelector<HTMLInputElement>("#sign-in-password");
    if (password === "") {
      field?.focus();
      return;
    }
    this.isBusy = true;
    this.error = null;
    try {
      await this.session.signIn(password, username.trim());
      localStorage.setItem(storageKey, username.trim());
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
      field?.select();
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-sign-in", SignInForm);

/** The form to sign in. */
export function signInForm(session: SessionKeeper, knownUsername: string | null = null): TemplateResult {
  return html`<visavis-console-sign-in
    .session=${session}
    .knownUsername=${knownUsername}
  ></visavis-console-sign-in>`;
}

/** The only sheet of a page: signing in, or accepting an invitation. */
export function lonelySheet(title: string, lead: string, content: TemplateResult): TemplateResult {
  return html`<main class="signin">
    <div class="card">
      <span class="port">
        <img src=${portrait} alt="" width="160" height="160" />
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="49" vector-effect="non-scaling-stroke" />
        </svg>
      </span>
      <div>
        <h1 tabindex="-1">${title}</h1>
        <p class="sub">${lead}</p>
      </div>
      ${content}
    </div>
    <p class="out">Visavis · ${texts.signIn.server}</p>
  </main>`;
}

/** The page for somebody who is not signed in. */
export function signInPage(session: SessionKeeper): TemplateResult {
  const content = html`${signInForm(session)}
    <details>
      <summary>${texts.signIn.help}</summary>
      <p>${texts.signIn.helpText}</p>
    </details>`;
  return lonelySheet(texts.signIn.title, location.host, content);
}
