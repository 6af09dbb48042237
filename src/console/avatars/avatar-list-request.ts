import { avatarListSchema, type Avatar } from "../../protocol/console/avatar-list.ts";
import type { ApiClient } from "../api/api-client.ts";

/** The avatars. Throws ApiError. */
export const loadAvatarList = (api: ApiClient, signal: AbortSignal): Promise<Avatar[]> =>
  api.request("/api/console/contexts/", { schema: avatarListSchema, signal });
