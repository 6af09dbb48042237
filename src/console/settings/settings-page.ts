import { html, nothing, type TemplateResult } from "lit";
import type { AccountRole } from "../../protocol/console/accounts.ts";
import { ConsolePage } from "../page.ts";
import { pageHead } from "../parts/page-head.ts";
import { texts } from "../texts/texts.ts";
import { accountsSection } from "./accounts-section.ts";
import { apiKeysSection } from "./api-keys-section.ts";
import { appearanceSection } from "./appearance-section.ts";
import { auditSection } from "./audit-section.ts";
import { healthSection } from "./health-section.ts";
import { loginsSection, passwordSection } from "./login-sections.ts";
import { privacySection } from "./privacy-section.ts";
import { quotasSection } from "./quotas-section.ts";
import { webhooksSection } from "./webhooks-section.ts";
import type { Services } from "../services.ts";
import "../styles/tables.css";
import "./settings.css";

interface Section {
  readonly id: keyof typeof texts.settings.sections;
  readonly role: AccountRole;
  readonly show: (services: Services) => TemplateResult;
}

/** The sections of the page, in their order. */
const sections: readonly Section[] = [
  { id: "privacy", role: "viewer", show: privacySection },
  { id: "keys", role: "owner", show: apiKeysSection },
  { id: "webhooks", role: "owner", show: webhooksSection },
  { id: "accounts", role: "owner", show: accountsSection },
  { id: "quotas", role: "viewer", show: quotasSection },
  { id: "logins", role: "viewer", show: loginsSection },
  { id: "password", role: "viewer", show: passwordSection },
  { id: "health", role: "viewer", show: healthSection },
  { id: "appearance", role: "viewer", show: appearanceSection },
  { id: "audit", role: "owner", show: auditSection },
];

/** Settings: one section at a time, by the address. */
export class SettingsPage extends ConsolePage {
  protected override render(): TemplateResult {
    const { session } = this.services;
    const shown = sections.filter(({ role }) => session.may(role));
    const current = shown.find(({ id }) => id === this.params["section"]) ?? shown[0];
    return html`${pageHead({ title: texts.settings.title })}
      <div class="set">
        <nav aria-label=${texts.settings.title}>
          ${shown.map(
            (section) =>
              html`<a
                href=${`#/settings/${section.id}`}
                aria-current=${section === current ? "true" : nothing}
              >
                ${texts.settings.sections[section.id]}
              </a>`,
          )}
        </nav>
        <div class="stack">${current?.show(this.services)}</div>
      </div>`;
  }
}

customElements.define("visavis-console-settings", SettingsPage);
