import { html, type TemplateResult } from "lit";
import { consoleLoginListSchema, type ConsoleLogin } from "../../protocol/console/accounts.ts";
import { Loaded } from "../api/loaded.ts";
import { moment } from "../format.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

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
