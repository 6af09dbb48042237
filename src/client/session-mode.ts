import type { PublicContext } from "../protocol/session/relay-api.ts";
import type { AvatarSession, SessionMode } from "./link/avatar-session.ts";

/** Whether the browser has peer connections. */
export const hasPeers = (): boolean => typeof RTCPeerConnection === "function";

/** The mode of a session for which `wanted` was asked. Without peer connections the avatar speaks where this browser can draw it. */
export function sessionMode(
  wanted: SessionMode,
  context: PublicContext | null,
  connection: AvatarSession["connection"],
): SessionMode {
  const speaks = hasPeers() || wanted === "voice" || context?.["drawing"];
  return speaks && !connection?.link.isSilent ? wanted : "text";
}
