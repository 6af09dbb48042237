import type { ApiClient } from "../api/api-client.ts";

const path = "/api/console/live/";

const post = (api: ApiClient, sessionId: string, action: string, body: object = {}): Promise<undefined> =>
  api.request(`${path}${encodeURIComponent(sessionId)}/${action}/`, { method: "POST", body });

/** Says whether you are there. Throws ApiError. */
export const setPresence = (api: ApiClient, minutes: number, name: string): Promise<undefined> =>
  api.request(`${path}presence/`, { method: "PUT", body: { minutes, name } });

/** Shows that this console reaches the server. Throws ApiError. */
export const keepAnswering = (api: ApiClient): Promise<undefined> =>
  api.request(`${path}alive/`, { method: "POST" });

/** Takes a conversation over, from the avatar or from the account `from`. Throws ApiError `conflict` where a colleague has it. */
export const takeOver = (api: ApiClient, sessionId: string, from?: string): Promise<undefined> =>
  post(api, sessionId, "take", from === undefined ? {} : { from });

/** Writes to the visitor. Throws ApiError. */
export const sendMessage = (api: ApiClient, sessionId: string, text: string): Promise<undefined> =>
  post(api, sessionId, "messages", { text });

/** Shows the visitor that you are writing. Throws ApiError. */
export const showWriting = (api: ApiClient, sessionId: string): Promise<undefined> =>
  post(api, sessionId, "writing");

/** Words for the avatar. Throws ApiError. */
export const whisper = (
  api: ApiClient,
  sessionId: string,
  text: string,
  how: "say" | "keep",
): Promise<undefined> => post(api, sessionId, "whisper", { text, how });

/** Gives the conversation back to the avatar. Throws ApiError. */
export const handBack = (api: ApiClient, sessionId: string, summary: string): Promise<undefined> =>
  post(api, sessionId, "hand-back", { summary });
