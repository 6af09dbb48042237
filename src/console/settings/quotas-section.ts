import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { quotaUseSchema, type QuotaUse } from "../../protocol/console/settings.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { figure, monthName } from "../format.ts";
import { question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { describedBy, field, fieldError, formTexts } from "../parts/field.ts";
import { whenLoaded } from "../parts/states.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";
import { SettingsSection } from "./section.ts";

const path = "/api/console/quotas/";

const names = ["max_month_min", "max_active_sessions", "max_session_min"] as const;
type Name = (typeof names)[number];

/** The limit that a text means; null: no limit; undefined: it is no number. */
export function limitOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,10}$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** The limits of the organization, and how much of them is used. */
class QuotasSection extends SettingsSection {
  static override properties: PropertyDeclarations = {
    ...SettingsSection.properties,
    faults: { state: true },
    leave: { state: true },
  };
  /** What is wrong, by field; `form`: with all of them. */
  declare faults: Readonly<Partial<Record<Name | "form", string>>>;
  /** Answers whether the page may be left; null: nobody wants to. */
  declare leave: ((may: boolean) => void) | null;
  readonly #use = new Loaded<QuotaUse>(this, (signal) =>
    this.services.api.request(path, { schema: quotaUseSchema, signal }),
  );

  constructor() {
    super();
    this.faults = {};
    this.leave = null;
  }

  override load(): Promise<void> {
    return this.#use.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.services.router.guard(null);
  }

  protected override render(): TemplateResult {
    const { quotas } = texts.settings;
    return html`<section class="sheet" aria-labelledby="quotas-title">
        <header>
          <div>
            <h2 id="quotas-title">${quotas.title}</h2>
            <p>${quotas.lead}</p>
          </div>
        </header>
        ${whenLoaded(this.#use, (use) => this.#form(use))}
      </section>
      ${this.leave ? this.#question(this.leave) : nothing}`;
  }

  #form(use: QuotaUse): TemplateResult {
    const { quotas } = texts.settings;
    const mayChange = this.services.session.may("owner");
    return html`<form class="fields" @submit=${this.#submit} @input=${this.#watch}>
      <div class="two">${names.map((name) => this.#field(name, use, mayChange))}</div>
      ${use.credits === null ? nothing : html`<p class="help">${quotas.credits(figure(use.credits))}</p>`}
      ${fieldError("quotas", this.faults.form)}
      ${
        mayChange
          ? html`<div class="row w">
              <button class="btn" ?disabled=${this.isBusy}>${quotas.submit}</button>
            </div>`
          : nothing
      }
    </form>`;
  }

  #field(name: Name, use: QuotaUse, mayChange: boolean): TemplateResult {
    const { quotas } = texts.settings;
    const id = `quota-${name}`;
    const help = {
      max_month_min: quotas.monthUsed(figure(use.month_min), monthName(use.month)),
      max_active_sessions: quotas.activeNow(figure(use.active_sessions)),
      max_session_min: quotas.sessionHelp,
    }[name];
    const error = this.faults[name];
    const control = html`<div class="unit">
      <input
        class="in"
        id=${id}
        name=${name}
        inputmode="numeric"
        autocomplete="off"
        placeholder=${quotas.none}
        .value=${use[name] === null ? "" : String(use[name])}
        ?readonly=${!mayChange}
        aria-invalid=${error ? "true" : "false"}
        aria-describedby=${describedBy({ id, help, error })}
      /><span aria-hidden="true">${quotas.units[name]}</span>
    </div>`;
    return field({ id, label: quotas.fields[name], help, error, control });
  }

  /** What was typed is not left without a question. */
  #watch(): void {
    this.services.router.guard(() => new Promise((resolve) => (this.leave = resolve)));
  }

  #question(leave: (may: boolean) => void): TemplateResult {
    const { quotas } = texts.settings;
    const answer = (may: boolean): void => {
      this.leave = null;
      leave(may);
    };
    return question({
      title: quotas.leave,
      text: quotas.leaveText,
      yes: quotas.go,
      no: quotas.stay,
      onYes: () => answer(true),
      onNo: () => answer(false),
    });
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const typed = formTexts(event.target);
    const limits = names.map((name) => [name, limitOf(typed[name] ?? "")] as const);
    const { notNumber } = texts.settings.quotas;
    this.faults = Object.fromEntries(
      limits.flatMap(([name, limit]): [Name, string][] => (limit === undefined ? [[name, notNumber]] : [])),
    );
    if (Object.keys(this.faults).length > 0) return;
    this.isBusy = true;
    try {
      const request = { method: "PUT", body: Object.fromEntries(limits), schema: quotaUseSchema } as const;
      this.#use.set(await this.services.api.request(path, request));
      this.services.router.guard(null);
      this.services.toasts.show(texts.settings.quotas.saved);
    } catch (error) {
      const fields: ApiError["fields"] = error instanceof ApiError ? error.fields : {};
      const own = names.flatMap((name): [Name, string][] =>
        fields[name] === undefined ? [] : [[name, fields[name]]],
      );
      this.faults = own.length > 0 ? Object.fromEntries(own) : { form: errorText(error) };
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("visavis-console-quotas", QuotasSection);

/** The section with the quotas. */
export const quotasSection = (services: Services): TemplateResult =>
  html`<visavis-console-quotas .services=${services}></visavis-console-quotas>`;
