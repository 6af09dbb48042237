import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { websiteSchedules } from "../../protocol/console/websites.ts";
import { describedBy, fieldError, formTexts, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { avatarChoice } from "./avatar-choice.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import { addWebsite } from "./knowledge-requests.ts";

/** Reads a website, by the address of a page or of a sitemap. */
class WebsiteForm extends KnowledgePart {
  static override properties: PropertyDeclarations = { ...KnowledgePart.properties, chosen: { state: true } };
  /** Null: all avatars. */
  declare chosen: string[] | null;

  constructor() {
    super();
    this.chosen = null;
  }

  get #contexts(): string[] {
    return this.chosen ?? this.avatars.map(({ id }) => id);
  }

  protected override render(): TemplateResult {
    const { website } = texts.knowledge;
    const id = "website-address";
    const error = this.faultOf("address");
    return html`<form class="stack t" @submit=${this.#submit}>
      <div class="f">
        <label for=${id}>${website.address}</label>
        <div class="with">
          <input
            class="in"
            id=${id}
            name="address"
            inputmode="url"
            autocomplete="url"
            required
            maxlength="2000"
            placeholder=${website.addressHint}
            aria-invalid=${error ? "true" : "false"}
            aria-describedby=${describedBy({ id, help: website.help, error })}
          />
          <button class="btn pri" ?disabled=${this.isBusy}>${website.submit}</button>
        </div>
        ${fieldError(id, error)}
        <p class="help" id=${`${id}-help`}>${website.help}</p>
      </div>
      <div class="f">
        <label for="website-every">${website.every}</label>
        ${select({
          id: "website-every",
          name: "every",
          value: "week",
          choices: websiteSchedules.map((value) => ({ value, label: website.schedules[value] })),
        })}
      </div>
      ${avatarChoice({
        avatars: this.avatars,
        chosen: this.#contexts,
        onChange: (chosen) => (this.chosen = chosen),
      })}
    </form>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const { address = "", every = "never" } = formTexts(form);
    const wanted = { address: address.trim(), every, contexts: this.#contexts };
    const added = await this.do(() => addWebsite(this.services.api, wanted));
    if (added === undefined) return;
    form.reset();
    this.onChanged();
  };
}

customElements.define("visavis-console-knowledge-website", WebsiteForm);
