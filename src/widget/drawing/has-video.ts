import type { AvatarConnection } from "../../client/link/avatar-connection.ts";

/** Whether a connection receives video. */
export function hasVideo({ link }: AvatarConnection): boolean {
  return (link.stream?.getVideoTracks().length ?? 0) > 0;
}
