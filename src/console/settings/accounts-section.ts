import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import {
  accountListSchema,
  accountRoles,
  accountSchema,
  invitationCreatedSchema,
  invitationListSchema,
  type Account,
  type Invitation,
} from "../../protocol/console/accounts.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { day, moment } from "../format.ts";
import { modal, question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { field, formTexts, select, textField } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { onceNote } from "../parts/once-note.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const accountsPath = "/api/console/accounts/";
const invitationsPath = "/api/console/invitations/";

interface People {
  readonly accounts: Account[];
  readonly invitations: Invitation[];
}

const roleChoices = () => [...accountRoles].reverse().map((value) => ({ value, label: texts.roles[value] }));

/** Who may sign in, with which role, and who is invited. */
class AccountsSection extends SettingsSection {
  static override properties: PropertyDeclarations = {
    ...SettingsSection.properties,
    isInviting: { state: true },
    error: { state: true },
    made: { state: true },
    removing: { state: true },
  };
  declare isInviting: boolean;
  declare error: ApiError | null;
  /** The link of the invitation that was made just now; it is shown only once. */
  declare made: string;
  declare removing: Account | null;
  readonly #people = new Loaded<People>(this, async (signal) => {
    const { api } = this.services;
    const [accounts, invitations] = await Promise.all([
      api.request(accountsPath, { schema: accountListSchema, signal }),
      api.request(invitationsPath, { schema: invitationListSchema, signal }),
    ]);
    return { accounts, invitations };
  });

  constructor() {
    super();
    this.isInviting = false;
    this.error = null;
    this.made = "";
    this.removing = null;
  }

  override load(): Promise<void> {
    return this.#people.load();
  }

  protected override render(): TemplateResult {
    const { accounts } = texts.settings;
    return html`<section class="sheet" aria-labelledby="accounts-title">
        <header>
          <div>
            <h2 id="accounts-title">${accounts.title}</h2>
            <p>${accounts.lead}</p>
          </div>
          <button class="btn sm" @click=${() => (this.isInviting = true)}>
            ${icon("plus", 16)} ${accounts.invite}
          </button>
        </header>
        ${this.made === "" ? nothing : onceNote(accounts.made, accounts.link, this.made)}
        ${whenLoaded(this.#people, (people) => html`${this.#table(people)}${this.#invited(people)}`)}
      </section>
      ${this.isInviting ? this.#form() : nothing}${this.removing ? this.#ask(this.removing) : nothing}`;
  }

  #table({ accounts: all }: People): TemplateResult {
    const { accounts } = texts.settings;
    return html`<div class="table-wrap" tabindex="0" role="region" aria-labelledby="accounts-title">
      <table>
        <thead>
          <tr>
            <th scope="col">${accounts.username}</th>
            <th scope="col">${accounts.role}</th>
            <th scope="col" class="opt2">${accounts.seen}</th>
            <th scope="col"><span class="sr">${texts.settings.actions}</span></th>
          </tr>
        </thead>
        <tbody>
          ${all.map((account) => this.#row(account))}
        </tbody>
      </table>
    </div>`;
  }

  #row(account: Account): TemplateResult {
    const { accounts } = texts.settings;
    const { username, role } = account;
    return html`<tr>
      <td class="b">${username}</td>
      <td>
        ${
          account.is_first
            ? texts.roles[role]
            : select({
                label: accounts.roleOf(username),
                value: role,
                choices: roleChoices(),
                onChange: (value) => void this.#setRole(account, value),
              })
        }
      </td>
      <td class="num q2 opt2">
        ${account.last_seen_at === null ? accounts.notSignedIn : moment(account.last_seen_at)}
      </td>
      <td>
        ${
          account.is_first
            ? nothing
            : html`<button class="btn sm del" @click=${() => (this.removing = account)}>
                ${accounts.remove}<span class="sr"> ${username}</span>
              </button>`
        }
      </td>
    </tr>`;
  }

  #setRole({ id, username }: Account, role: string): Promise<boolean> {
    return this.change(
      () =>
        this.services.api.request(`${accountsPath}${id}/`, {
          method: "PUT",
          body: { role },
          schema: accountSchema,
        }),
      texts.settings.accounts.changed(username),
    );
  }

  #invited({ invitations }: People): TemplateResult | typeof nothing {
    const { accounts } = texts.settings;
    if (invitations.length === 0) return nothing;
    return html`<h3 class="spaced">${accounts.invitations}</h3>
      <ul class="rows">
        ${invitations.map(
          (invitation) =>
            html`<li>
              <div class="t">
                <b>${invitation.note || accounts.someone}</b>
                <span>${accounts.invited(texts.roles[invitation.role], day(invitation.expires_at))}</span>
              </div>
              <button class="btn sm del" @click=${() => void this.#withdraw(invitation)}>
                ${accounts.withdraw}<span class="sr"> ${invitation.note}</span>
              </button>
            </li>`,
        )}
      </ul>`;
  }

  async #withdraw({ id }: Invitation): Promise<void> {
    this.made = "";
    await this.change(
      () => this.services.api.request(`${invitationsPath}${id}/`, { method: "DELETE" }),
      texts.settings.accounts.withdrawn,
    );
  }

  #form(): TemplateResult {
    const { accounts } = texts.settings;
    const close = (): void => {
      this.isInviting = false;
      this.error = null;
    };
    const content = html`<form class="fields" @submit=${this.#invite}>
      ${textField({
        id: "invitation-note",
        name: "note",
        label: accounts.note,
        help: accounts.noteHelp,
        maxLength: 200,
        error: this.error === null ? undefined : errorText(this.error),
      })}
      ${field({
        id: "invitation-role",
        label: accounts.role,
        help: accounts.roleHelp,
        control: select({ id: "invitation-role", name: "role", value: "editor", choices: roleChoices() }),
      })}
      <div class="acts">
        <button type="button" class="btn" @click=${close}>${texts.cancel}</button>
        <button class="btn pri" ?disabled=${this.isBusy}>${accounts.create}</button>
      </div>
    </form>`;
    return modal({ title: accounts.invite, content, onClose: close });
  }

  async #invite(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const body = formTexts(event.target);
    this.isBusy = true;
    this.error = null;
    try {
      const request = { method: "POST", body, schema: invitationCreatedSchema } as const;
      this.made = (await this.services.api.request(invitationsPath, request)).link;
      this.isInviting = false;
      void this.load();
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }

  #ask({ id, username }: Account): TemplateResult {
    const { accounts } = texts.settings;
    return question({
      title: accounts.askRemove(username),
      text: accounts.askRemoveText,
      yes: accounts.remove,
      no: texts.cancel,
      isDangerous: true,
      onNo: () => (this.removing = null),
      onYes: () => {
        this.removing = null;
        void this.change(
          () => this.services.api.request(`${accountsPath}${id}/`, { method: "DELETE" }),
          accounts.removed(username),
        );
      },
    });
  }
}

customElements.define("visavis-console-accounts", AccountsSection);

/** The section with the accounts and invitations. */
export const accountsSection = (services: Services): TemplateResult =>
  html`<visavis-console-accounts .services=${services}></visavis-console-accounts>`;
