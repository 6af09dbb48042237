import { conversationListSchema, type Conversation } from "../../protocol/console/conversations.ts";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { overviewSchema, type Overview } from "../../protocol/console/overview.ts";
import { unansweredListSchema, type UnansweredList } from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";
import { loadAvatarList } from "../avatars/avatar-list-request.ts";
import { loadFaces, type Faces } from "../avatars/face-requests.ts";

/** How many questions and conversations the lists show. */
const listed = 3;

/** The avatars that the figures are about, with their faces. */
export interface Surroundings {
  readonly avatars: readonly Avatar[];
  readonly faces: Faces;
}

/** What came last. */
export interface Latest {
  readonly unanswered: UnansweredList;
  readonly conversations: readonly Conversation[];
}

/** Figures, limits, problems and the first steps. `context`: of one avatar; empty: of all. Throws ApiError. */
export const loadOverview = (api: ApiClient, context: string, signal: AbortSignal): Promise<Overview> =>
  api.request("/api/console/overview/", {
    query: { context: context || undefined },
    schema: overviewSchema,
    signal,
  });

/** Throws ApiError. */
export async function loadSurroundings(api: ApiClient, signal: AbortSignal): Promise<Surroundings> {
  const [avatars, faces] = await Promise.all([loadAvatarList(api, signal), loadFaces(api, signal)]);
  return { avatars, faces };
}

/** The questions without an answer that were asked most, and the latest conversations. Throws ApiError. */
export async function loadLatest(api: ApiClient, context: string, signal: AbortSignal): Promise<Latest> {
  const query = { context: context || undefined, limit: listed };
  const [unanswered, conversations] = await Promise.all([
    api.request("/api/console/unanswered/", { query, schema: unansweredListSchema, signal }),
    api.request("/api/console/conversations/", { query, schema: conversationListSchema, signal }),
  ]);
  return { unanswered, conversations };
}
