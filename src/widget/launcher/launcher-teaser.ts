import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";

/** What the teaser is drawn from. */
interface TeaserProps {
  readonly t: Translate;
  /** Reading direction of the texts: the bubble's own is that of its side. */
  readonly direction: "ltr" | "rtl";
  /** The last answer that was not seen, without its marks; empty for none. */
  readonly answer: string;
  readonly open: () => void;
  readonly dismiss: () => void;
}

/** The last unread answer beside the launcher. Screen readers read it by itself. */
export function launcherTeaser({ t, direction, answer, open, dismiss }: TeaserProps): TemplateResult {
  const bubble = html`<div class="vv-teaser" part="launcher-teaser">
    <button type="button" class="vv-teaser-text" dir=${direction} @click=${open}>
      <small>${t("dialog")}</small><span dir="auto">${answer}</span>
    </button>
    <button type="button" class="vv-teaser-close" aria-label=${t("close")} @click=${dismiss}>
      ${icon("close")}
    </button>
  </div>`;
  return html`<div aria-live="polite">${answer ? bubble : nothing}</div>`;
}
