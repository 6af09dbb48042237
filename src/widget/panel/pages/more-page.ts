import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../styles/icons.ts";
import { lateIcon } from "../../styles/late-icons.ts";
import { copyTranscript, downloadTranscript, type Export } from "./transcript-export.ts";

/** What the menu is drawn from. */
interface MoreProps extends Export {
  readonly close: () => void;
  readonly openSettings: () => void;
  /** Offers the ways to a person; null where the owner gives none. */
  readonly askForPerson: (() => void) | null;
  /** Empties the transcript. */
  readonly clear: () => void;
  readonly end: () => void;
}

/** What else can be done during a conversation. The picture makes room for it. */
export function morePage(props: MoreProps): TemplateResult {
  const { t, transcript, copied } = props;
  const empty = transcript.length === 0;
  return html`<div class="vv-more" part="page">
    <header>
      <h2 dir="auto">${t("more")}</h2>
      <button type="button" class="vv-x" aria-label=${t("close")} @click=${props.close}>
        ${icon("close")}
      </button>
    </header>
    <button type="button" class="vv-item" data-main @click=${props.openSettings}>
      ${icon("settings")}<span>${t("settings")}</span>
    </button>
    ${
      props.askForPerson
        ? html`<button type="button" class="vv-item" @click=${props.askForPerson}>
            ${lateIcon("person")}<span>${t("handover_title")}</span>
          </button>`
        : nothing
    }
    <button type="button" class="vv-item" ?hidden=${empty} @click=${() => copyTranscript(props)}>
      ${lateIcon("copy")}<span>${t(copied ? "copied" : "copy")}</span>
    </button>
    <button type="button" class="vv-item" ?hidden=${empty} @click=${() => downloadTranscript(props)}>
      ${lateIcon("download")}${t("download")}
    </button>
    <button type="button" class="vv-item" ?hidden=${empty} @click=${props.clear}>
      ${lateIcon("clear")}${t("clear")}
    </button>
    <button type="button" class="vv-item danger" @click=${props.end}>${icon("end")}${t("end")}</button>
  </div>`;
}
