import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type LiveLine, type LiveTalk, talkNotes } from "../../protocol/console/live.ts";
import { icon } from "../parts/icons.ts";
import { live } from "./live-texts.ts";
import type { OpenTalk } from "./live-feed.ts";
import { sign } from "./live-list.ts";

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }).format(
    new Date(at),
  );

/** What a note tells. */
function noteText(text: string, name: string): string {
  const known = talkNotes.find((note) => note === text);
  return known ? live.notes[known](name) : text;
}

function words({ role, text, name, answered }: LiveLine, avatar: string): TemplateResult {
  if (role === "visitor") return html`<p class="say-q" dir="auto">${text}</p>`;
  if (role === "person")
    return html`<p class="by">${sign(true)}${name}</p>
      <p class="say-p" dir="auto">${text}</p>`;
  if (role === "whisper")
    return html`<p class="whis" dir="auto">
      <b>${answered ? live.whisperedToSay(name, avatar) : live.whisperedToKnow(name)}</b>${text}
    </p>`;
  if (role === "summary") return html`<p class="whis" dir="auto"><b>${live.summaryBy(name)}</b>${text}</p>`;
  return html`<p class="say-a" dir="auto">${text}</p>
    ${answered ? nothing : html`<p class="found">${icon("ask", 16)}${live.foundNothing}</p>`}`;
}

/** The conversation as it is written. */
export function talkLines({ lines }: OpenTalk, { avatar, ended_at: endedAt }: LiveTalk): TemplateResult {
  return html`<div class="talk" role="log" aria-label=${live.transcript} tabindex="0">
    ${repeat(
      lines,
      ({ id }) => id,
      (line) =>
        line.role === "note"
          ? html`<p class="ev">
              <time>${timeOf(line.at)}</time>${icon("person", 18)}<span
                >${noteText(line.text, line.name)}</span
              >
            </p>`
          : html`<div class="turn">
              <time>${timeOf(line.at)}</time>
              <div class="x">${words(line, avatar)}</div>
            </div>`,
    )}
    ${endedAt === null ? nothing : html`<p class="ev"><time>${timeOf(endedAt)}</time>${icon("out", 18)}<span>${live.closed}</span></p>`}
  </div>`;
}

/** What is known of the visit. */
export function visit({ variables }: OpenTalk, { page, path }: LiveTalk): TemplateResult {
  const facts = Object.entries(variables);
  return html`<section>
      <h3>${live.looksAt}</h3>
      <p class="pgc"><b>${page || live.aPage}</b><bdi>${path}</bdi></p>
    </section>
    <section>
      <h3>${live.known}</h3>
      ${
        facts.length === 0
          ? html`<p class="none">${live.nothingKnown}</p>`
          : html`<dl>
              ${facts.map(
                ([name, value]) =>
                  html`<dt>${name}</dt>
                    <dd>${value}</dd>`,
              )}
            </dl>`
      }
    </section>`;
}
