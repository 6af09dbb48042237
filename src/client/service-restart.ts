import type { AvatarConnection } from "./avatar-connection.ts";
import type { Conversation } from "./conversation.ts";

/** How long a restart of the service goes unmentioned, in ms. */
const quietMs = 20_000;

/**
 * When the service announces its restart, the connection is recovered without a notice: the last picture stays, and questions wait.
 * If that takes too long, it is a lost connection like any other.
 */
export function watchRestart(
  connection: AvatarConnection,
  conversation: Pick<Conversation, "events">,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = conversation.events.on("notice", ({ type }) => {
    if (type !== "restart" || connection.quiet) return;
    connection.quiet = true;
    connection.handleLinkFault();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!connection.quiet) return;
      connection.quiet = false;
      connection.events.emit("lost", undefined);
    }, quietMs);
  });
  signal.addEventListener("abort", () => {
    stop();
    clearTimeout(timer);
  });
}
