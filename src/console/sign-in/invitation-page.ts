import { html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import type * as z from "zod";
import {
  consoleSessionSchema,
  invitationPreviewSchema,
  passwordMinLength,
} from "../../protocol/console/accounts.ts";
import type { ApiClient } from "../api/api-client.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { errorText } from "../parts/error-text.ts";
import { formTexts, textField } from "../parts/field.ts";
import { skeleton, trouble } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { lonelySheet } from "./sign-in-page.ts";

/** The page that an invitation's link opens. The link's secret is behind `#`, so that no server logs it. */
class InvitationPage extends LitElement {
  static override properties: PropertyDeclarations = {
    api: { attribute: false },
    error: { state: true },
    isBusy: { state: true },
  };
  declare api: ApiClient;
  declare error: ApiError | null;
  declare isBusy: boolean;
  readonly #token = location.hash.slice(1);
  readonly #invitation = new Loaded<z.output<typeof invitationPreviewSchema>>(this, (signal) =>
    this.api.request("/api/console/invitation/", {
      method: "POST",
      body: { token: this.#token },
      schema: invitationPreviewSchema,
      isGuest: true,
      signal,
    }),
  );

  constructor() {
    super();
    this.error = null;
    this.isBusy = false;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#invitation.load();
  }

  protected override render(): TemplateResult {
    const { value, error } = this.#invitation;
    const { invitation } = texts;
    if (value !== undefined)
      return lonelySheet(
        invitation.title,
        invitation.lead(value.organization, texts.roles[value.role]),
        this.#form(),
      );
    const isGone = error !== null && ["not_found", "invalid"].includes(error.code);
    if (isGone)
      return lonelySheet(
        invitation.gone,
        invitation.goneText,
        html`<a class="btn" href="./">${texts.signIn.submit}</a>`,
      );
    return lonelySheet(invitation.title, location.host, html`${trouble(this.#invitation)}${skeleton()}`);
  }

  #form(): TemplateResult {
    const { error } = this;
    const fields = error?.fields ?? {};
    const isElsewhere = error !== null && !("username" in fields) && !("password" in fields);
    return html`<form class="fields" @submit=${this.#submit}>
      ${textField({
        id: "invitation-username",
        name: "username",
        label: texts.invitation.username,
        autocomplete: "username",
        required: true,
        maxLength: 100,
        error: fields["username"],
      })}
      ${textField({
        id: "invitation-password",
        name: "password",
        label: texts.invitation.password,
        help: texts.invitation.passwordHelp,
        type: "password",
        autocomplete: "new-password",
        required: true,
        minLength: passwordMinLength,
        error: fields["password"] ?? (isElsewhere ? errorText(error) : undefined),
      })}
      <button class="btn pri" ?disabled=${this.isBusy}>${texts.invitation.submit}</button>
    </form>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const { username, password } = formTexts(event.target);
    this.isBusy = true;
    this.error = null;
    try {
      await this.api.request("/api/console/invitation/accept/", {
        method: "POST",
        body: { token: this.#token, username, password },
        schema: consoleSessionSchema,
        isGuest: true,
      });
      location.replace("./");
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-invitation", InvitationPage);

/** The page that an invitation's link opens. */
export function invitationPage(api: ApiClient): TemplateResult {
  return html`<visavis-console-invitation .api=${api}></visavis-console-invitation>`;
}
