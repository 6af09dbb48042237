import { html, nothing, type TemplateResult } from "lit";
import type { ConversationDetail } from "../../protocol/console/conversations.ts";
import { duration, exactMomentWithin, exactTime } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { timeline } from "./timeline.ts";
import { hasTechnicalEvents, transcript } from "./transcript.ts";

interface Detail {
  conversation: ConversationDetail;
  avatarName: string;
  /** The address of the list. */
  back: string;
  mayDelete: boolean;
  showsTechnical: boolean;
  teach: (question: string) => string | null;
  onTechnical: (shows: boolean) => void;
  onDelete: () => void;
}

/** How a conversation ended, in words. */
export function endingText({ ended_at: ended, termination_reason: reason }: ConversationDetail): string {
  const { endings } = texts.conversations;
  if (ended === null) return endings.running;
  return reason === null ? endings.unknown : endings.reasons[reason];
}

/** Saves a conversation as a file of this browser. */
function download(conversation: ConversationDetail): void {
  const file = new Blob([JSON.stringify(conversation, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), {
    href: address,
    download: `conversation-${conversation.session_id}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function words({ conversation, showsTechnical, teach, onTechnical }: Detail): TemplateResult {
  const said = conversation.moments.some(({ type }) => type !== "event");
  const change = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) onTechnical(event.target.checked);
  };
  return html`${said ? timeline(conversation) : html`<p class="note spaced">${icon("lock")}<span>${texts.conversations.noWords}</span></p>`}
  ${transcript({ conversation, showsTechnical, teach })}
  ${
    hasTechnicalEvents(conversation)
      ? html`<label class="events">
          <input
            type="checkbox"
            .checked=${showsTechnical}
            @change=${change}
          />${texts.conversations.technical}
        </label>`
      : nothing
  }`;
}

/** A conversation: its head, its timeline and what was said. */
export function conversationDetail(detail: Detail): TemplateResult {
  const { conversation, avatarName, back, mayDelete, onDelete } = detail;
  const { conversations } = texts;
  const at = conversation.started_at;
  return html`<a class="lk narrow" href=${back}>${icon("back", 18)} ${conversations.title}</a>
    <div class="conv-head">
      <div>
        <h2>${conversations.heading(avatarName, exactMomentWithin(at))}</h2>
        <p title=${exactTime(at)}>${duration(conversation.duration_sec)}, ${endingText(conversation)}</p>
      </div>
      <button class="icb fill" aria-label=${conversations.download} @click=${() => download(conversation)}>
        ${icon("download")}
      </button>
      ${
        mayDelete
          ? html`<button class="icb fill del" aria-label=${conversations.delete} @click=${onDelete}>
              ${icon("trash")}
            </button>`
          : nothing
      }
    </div>
    ${words(detail)}`;
}
