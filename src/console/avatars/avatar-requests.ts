import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { contextTemplateListSchema, type ContextTemplate } from "../../protocol/console/avatars.ts";
import { embedContextSchema, type EmbedContext, type EmbedContextPut } from "../../protocol/embed-context.ts";
import type { ApiClient } from "../api/api-client.ts";
import { loadAvatarList } from "./avatar-list-request.ts";
import { loadFaces, type Faces } from "./face-requests.ts";

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
export const createAvatar = (api: ApiClient, settings: EmbedContextPut): Promise<EmbedContext> =>
  api.request(contextsPath, { method: "POST", body: settings, schema: embedContextSchema });

/** Switches an avatar on or off. Throws ApiError. */
export const setActive = (api: ApiClient, id: string, isActive: boolean): Promise<EmbedContext> =>
  api.request(`${avatarsPath}${id}/active/`, {
    method: "PUT",
    body: { is_active: isActive },
    schema: embedContextSchema,
  });

/** Copies an avatar. Throws ApiError. */
export const duplicateAvatar = (api: ApiClient, id: string): Promise<EmbedContext> =>
  api.request(`${avatarsPath}${id}/duplicate/`, { method: "POST", schema: embedContextSchema });

/** Deletes an avatar; for 30 s it can be restored. Throws ApiError. */
export const deleteAvatar = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(`${contextsPath}${id}/`, { method: "DELETE" });

/** Undoes a deletion. Throws ApiError. */
export const restoreAvatar = (api: ApiClient, id: string): Promise<EmbedContext> =>
  api.request(`${avatarsPath}${id}/restore/`, { method: "POST", schema: embedContextSchema });
