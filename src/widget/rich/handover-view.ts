import { html, nothing, type TemplateResult } from "lit";
import type { Handover } from "../../protocol/late-settings.ts";
import type { HandoverVia } from "../session/element-events.ts";
import type { Translate } from "../texts/texts.ts";

/** What the ways to a person are drawn from. */
export interface HandoverProps {
  readonly t: Translate;
  /** The ways that the owner gives; null for none. */
  readonly ways: Handover | null;
  /** The page was told. */
  readonly told: boolean;
  /** Tells the page. False if it takes the visitor there by itself. */
  readonly handOver: (via: HandoverVia) => boolean;
}

/** The ways to a person. */
export function handoverView({ t, ways, told, handOver }: HandoverProps): TemplateResult | typeof nothing {
  if (!ways) return nothing;
  const { url, phone, event } = ways;
  const follow = (via: HandoverVia) => (click: Event) => {
    if (!handOver(via)) click.preventDefault();
  };
  const link = (href: string, text: string, via: HandoverVia) =>
    html`<a class="vv-chip" href=${href} target="_blank" rel="noopener" @click=${follow(via)}>${text}</a>`;
  return html`<div class="vv-handover" role="group" aria-label=${t("handover_title")}>
    <p class="vv-handover-title" dir="auto">${t("handover_title")}</p>
    <div class="vv-chips">
      ${
        event
          ? html`<button type="button" class="vv-chip" @click=${follow("page")}>
              ${t("handover_here")}
            </button>`
          : nothing
      }
      ${phone ? link(`tel:${phone.replace(/[^+\d]/g, "")}`, t("handover_call", { phone }), "phone") : nothing}
      ${url ? link(url, t(url.startsWith("mailto:") ? "handover_write" : "contact_us"), "url") : nothing}
    </div>
    <p role="status" class="vv-done">${told ? t("handover_done") : nothing}</p>
  </div>`;
}
