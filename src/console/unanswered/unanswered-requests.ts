import {
  taughtSchema,
  unansweredGroupSchema,
  unansweredListSchema,
  type Taught,
  type UnansweredGroup,
  type UnansweredList,
} from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";

const path = "/api/console/unanswered/";
const onePath = (id: string, action: string): string => `${path}${encodeURIComponent(id)}/${action}/`;

/** The filters of the list. */
export interface UnansweredChoice {
  readonly context: string;
  readonly order: "most" | "newest";
}

/** The questions without an answer. Throws ApiError. */
export const loadUnanswered = (
  api: ApiClient,
  { context, order }: UnansweredChoice,
  signal: AbortSignal,
): Promise<UnansweredList> =>
  api.request(path, {
    query: { context: context || undefined, order },
    schema: unansweredListSchema,
    signal,
  });

/** Teaches the answer to a group. Throws ApiError. */
export const teach = (api: ApiClient, id: string, answer: string, wordings: string[]): Promise<Taught> =>
  api.request(onePath(id, "teach"), { method: "POST", body: { answer, wordings }, schema: taughtSchema });

/** Hides a group. Throws ApiError. */
export const hide = (api: ApiClient, id: string): Promise<UnansweredGroup> =>
  api.request(onePath(id, "hide"), { method: "POST", schema: unansweredGroupSchema });

/** Undoes teaching or hiding. Throws ApiError. */
export const reopen = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(onePath(id, "restore"), { method: "POST" });
