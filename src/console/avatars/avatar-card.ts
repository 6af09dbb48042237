import { html, nothing, type TemplateResult } from "lit";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { icon } from "../parts/icons.ts";
import { menu, type MenuItem } from "../parts/menu.ts";
import { texts } from "../texts/texts.ts";
import type { FacePictures } from "./face-requests.ts";

const rings: Readonly<Record<Avatar["state"], string>> = { live: "", paused: "idle", draft: "draft" };

interface Card {
  avatar: Avatar;
  face: FacePictures | undefined;
  /** What the role may do; empty: nothing. */
  actions: readonly MenuItem[];
  /** The address of its editor; null while the console has none. */
  editor: string | null;
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin);

function pagesText({ origins }: Avatar): string {
  const [first, ...others] = origins;
  if (first === undefined) return texts.avatars.noPages;
  return others.length === 0 ? hostOf(first) : `${hostOf(first)} +${others.length}`;
}

/** An avatar as a card of the list. */
export function avatarCard({ avatar, face, actions, editor }: Card): TemplateResult {
  const { avatars } = texts;
  const ring = rings[avatar.state];
  const title = avatar.avatar_name;
  return html`<article class="sheet ava" aria-labelledby=${`avatar-${avatar.id}`}>
    <div class="win ${ring}">
      <div class="view">${face?.poster ? html`<img src=${face.poster} alt="" />` : icon("person")}</div>
      <span class="plate sig ${ring}">${avatars.states[avatar.state]}</span>
    </div>
    <div class="tx">
      <h2 id=${`avatar-${avatar.id}`}>${title}</h2>
      <p class="q2">${avatar.name === title ? avatar.context_id : avatar.name}</p>
      <dl>
        <dt>${avatars.pages}</dt>
        <dd title=${avatar.origins.join("\n")}>${pagesText(avatar)}</dd>
        <dt>${avatars.lastWeek}</dt>
        <dd class="num">${avatars.conversations(avatar.conversations_7d)}</dd>
      </dl>
      <div class="go">
        ${editor === null ? nothing : html`<a class="btn" href=${editor}>${avatars.open}<span class="sr"> ${title}</span></a>`}
        ${actions.length === 0 ? nothing : menu(avatars.more(title), actions)}
      </div>
    </div>
  </article>`;
}
