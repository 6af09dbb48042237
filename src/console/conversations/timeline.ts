import { html, nothing, svg, type TemplateResult } from "lit";
import type { ConversationDetail } from "../../protocol/console/conversations.ts";
import { position } from "../format.ts";
import { texts } from "../texts/texts.ts";

/** About how many characters are spoken in a second. */
const charactersPerSec = 15;

/** A span of the timeline, in seconds. */
export interface Stretch {
  readonly who: "visitor" | "avatar";
  readonly fromSec: number;
  readonly toSec: number;
}

/** The length of the timeline of a conversation, in seconds. */
const lengthOf = ({ duration_sec: duration, moments }: ConversationDetail): number =>
  Math.max(1, duration, ...moments.map(({ at_sec: at }) => at));

/** Who spoke when. The lengths are estimated from the texts; spans do not overlap. */
export function stretchesOf(conversation: ConversationDetail): Stretch[] {
  const said = conversation.moments.flatMap((moment) => (moment.type === "event" ? [] : [moment]));
  return said.map(({ type: who, at_sec: at, text }, index): Stretch => {
    const estimate = Math.max(1, text.length / charactersPerSec);
    // A question is noted when it is complete, an answer when it begins to be spoken.
    if (who === "visitor")
      return { who, fromSec: Math.max(said[index - 1]?.at_sec ?? 0, at - estimate), toSec: at };
    const end = said[index + 1]?.at_sec ?? lengthOf(conversation);
    return { who, fromSec: at, toSec: Math.max(at, Math.min(at + estimate, end)) };
  });
}

/** A moment without an answer, at a share of the timeline in percent. Its word is left out where it would touch the one before. */
interface MissingMark {
  readonly percent: number;
  readonly hasWord: boolean;
  /** Which end of the word is at the moment: near an end of the line, the word stays within it. */
  readonly side: "begin" | "middle" | "end";
}

/** In percent: how far words are from each other, and from the ends if they are in the middle of their moment. */
const wordDistance = 20;
const endDistance = 10;

/** The marks of moments without an answer. `atSec`: the moments; `lengthSec`: the whole timeline. */
export function missingMarks(atSec: readonly number[], lengthSec: number): MissingMark[] {
  let lastWord = -Infinity;
  return atSec.map((at): MissingMark => {
    const percent = Math.min(100, (at / lengthSec) * 100);
    const hasWord = percent - lastWord >= wordDistance;
    if (hasWord) lastWord = percent;
    const side = percent < endDistance ? "begin" : percent > 100 - endDistance ? "end" : "middle";
    return { percent, hasWord, side };
  });
}

/** The conversation as a line: who spoke when, and where an answer was missing. */
export function timeline(conversation: ConversationDetail): TemplateResult {
  const length = lengthOf(conversation);
  const scale = 1000 / length;
  const { timeline: words } = texts.conversations;
  const missing = conversation.moments.flatMap((moment) =>
    moment.type === "avatar" && !moment.answered ? [moment.at_sec] : [],
  );
  const bars = stretchesOf(conversation).map(({ who, fromSec, toSec }) => {
    const isAvatar = who === "avatar";
    return svg`<rect class=${isAvatar ? "speaks" : "asks"} x=${fromSec * scale} y=${isAvatar ? 11 : 6}
      width=${Math.max(3, (toSec - fromSec) * scale)} height=${isAvatar ? 6 : 16} />`;
  });
  return html`<figure class="tl">
    <div class="tlw">
      <svg viewBox="0 0 1000 28" preserveAspectRatio="none" role="img" aria-label=${words.label}>
        <line class="line" x1="0" x2="1000" y1="14" y2="14" />
        ${bars}
      </svg>
      <span class="lb st">${words.start}</span>
      ${missingMarks(missing, length).map(
        ({ percent, hasWord, side }) =>
          html`<span class="lb mid ${side}" .style=${`inset-inline-start: ${percent}%`}
            >${hasWord ? words.missing : nothing}</span
          >`,
      )}
      <span class="lb en">${position(length)}</span>
    </div>
    <figcaption class="legend">
      <span><i class="a"></i>${words.avatar}</span><span><i class="v"></i>${words.visitor}</span>
      <span>${words.about}</span>
    </figcaption>
  </figure>`;
}
