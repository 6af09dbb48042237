import { html, nothing, type TemplateResult } from "lit";
import { engineListSchema, type Engine } from "../../protocol/console/engines.ts";
import { Loaded } from "../api/loaded.ts";
import { ConsolePage } from "../page.ts";
import { icon } from "../parts/icons.ts";
import { pageHead } from "../parts/page-head.ts";
import { entryIcons, moreEntries } from "../shell/navigation-entries.ts";
import { signOut } from "../shell/sign-out.ts";
import { themeButton } from "../shell/theme-button.ts";
import { texts } from "../texts/texts.ts";

/** What the bar of a phone has no room for. */
export class MorePage extends ConsolePage {
  /** How many engines that avatars use do not work. */
  readonly #troubled = new Loaded<number>(this, async (signal) => {
    const engines = await this.services.api.request("/api/console/engines/", {
      schema: engineListSchema,
      signal,
    });
    const isTroubled = ({ state }: Engine): boolean => state === "unavailable" || state === "failing";
    return engines.filter((engine) => engine.used_by.length > 0 && isTroubled(engine)).length;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#troubled.load();
  }

  protected override render(): TemplateResult {
    const { session, hasPage } = this.services;
    const entries = moreEntries.filter((entry) => hasPage(`/${entry}`));
    const organization = "session" in session.state ? session.state.session.organization.name : "";
    return html`${pageHead({ title: texts.nav.more, lead: organization })}
      <ul class="sheet rows">
        ${entries.map(
          (entry) =>
            html`<li>
              <span class="docic">${icon(entryIcons[entry])}</span>
              <div class="t">
                <a class="b" href=${`#/${entry}`}>${texts.nav[entry]}</a>
                ${entry === "engines" ? this.#enginesNote() : nothing}
              </div>
              ${icon("next")}
            </li>`,
        )}
      </ul>
      <div class="row onwall more-tools">
        ${themeButton(() => this.requestUpdate(), { isNamed: true })}
        <button class="btn" @click=${() => void signOut(this.services)}>
          ${icon("out")} ${texts.nav.signOut}
        </button>
      </div>`;
  }

  #enginesNote(): TemplateResult | typeof nothing {
    const count = this.#troubled.value ?? 0;
    return count === 0 ? nothing : html`<span>${texts.more.enginesTroubled(count)}</span>`;
  }
}

customElements.define("visavis-console-more", MorePage);
