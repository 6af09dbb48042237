import { html, nothing, type TemplateResult } from "lit";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { icon } from "../parts/icons.ts";
import { menu, type MenuItem } from "../parts/menu.ts";
import { texts } from "../texts/texts.ts";
import { type FacePictures, type Faces, loadFaces } from "./face-requests.ts";
import { type ContextTemplate, contextTemplateListSchema } from "../../protocol/console/avatars.ts";
import {
  type ContextSettings,
  type EmbedContextAnswer,
  embedContextSchema,
} from "../../protocol/settings/embed-context.ts";
import type { ApiClient } from "../api/api-client.ts";
import { loadAvatarList } from "./avatar-list-request.ts";

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

/** What the page of the avatars shows. */
export interface AvatarOverview {
  readonly avatars: Avatar[];
  readonly templates: ContextTemplate[];
  readonly faces: Faces;
}

const contextsPath = "/api/console/b2c/contexts/";
const avatarsPath = "/api/console/contexts/";

/** The avatars, the templates and the faces. Throws ApiError. */
export async function loadAvatars(api: ApiClient, signal: AbortSignal): Promise<AvatarOverview> {
  const [avatars, templates, faces] = await Promise.all([
    loadAvatarList(api, signal),
    api.request("/api/console/templates/", { schema: contextTemplateListSchema, signal }),
    loadFaces(api, signal),
  ]);
  return { avatars, templates, faces };
}

/** Creates an avatar from a template. Throws ApiError. */
export const createAvatar = (api: ApiClient, settings: ContextSettings): Promise<EmbedContextAnswer> =>
  api.request(contextsPath, { method: "POST", body: settings, schema: embedContextSchema });

/** Switches an avatar on or off. Throws ApiError. */
export const setActive = (api: ApiClient, id: string, isActive: boolean): Promise<EmbedContextAnswer> =>
  api.request(`${avatarsPath}${id}/active/`, {
    method: "PUT",
    body: { is_active: isActive },
    schema: embedContextSchema,
  });

/** Copies an avatar. Throws ApiError. */
export const duplicateAvatar = (api: ApiClient, id: string): Promise<EmbedContextAnswer> =>
  api.request(`${avatarsPath}${id}/duplicate/`, { method: "POST", schema: embedContextSchema });

/** Deletes an avatar; for 30 s it can be restored. Throws ApiError. */
export const deleteAvatar = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(`${contextsPath}${id}/`, { method: "DELETE" });

/** Undoes a deletion. Throws ApiError. */
export const restoreAvatar = (api: ApiClient, id: string): Promise<EmbedContextAnswer> =>
  api.request(`${avatarsPath}${id}/restore/`, { method: "POST", schema: embedContextSchema });
