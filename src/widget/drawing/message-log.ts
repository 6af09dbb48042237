import type { AvatarConnection } from "../../client/link/avatar-connection.ts";
import type { ClientMessage, ServerMessage } from "../../protocol/session/data-channel.ts";

/** A message of the session's channel with the time of the page at which it passed, in ms. */
export type PassedMessage = { readonly atMs: number } & (
  | { readonly sent: ClientMessage }
  | { readonly received: ServerMessage }
);

/** So much is kept: what is older says nothing of what the avatar does now. */
const mostKept = 200;

/**
 * Keeps what passes the channel until there is a face that follows it: the avatar may begin to speak while its character is being
 * loaded.
 */
export class MessageLog {
  readonly #stops: readonly (() => void)[];
  #kept: PassedMessage[] = [];
  #follower: ((message: PassedMessage) => void) | null = null;

  constructor({ events }: Pick<AvatarConnection, "events">) {
    const pass = (message: PassedMessage): void => {
      if (this.#follower) this.#follower(message);
      else this.#kept = [...this.#kept.slice(1 - mostKept), message];
    };
    this.#stops = [
      events.on("sent", (sent) => pass({ atMs: performance.now(), sent })),
      events.on("message", (received) => pass({ atMs: performance.now(), received })),
    ];
  }

  /** From now on the follower gets each message, first those that have passed already. */
  follow(follower: (message: PassedMessage) => void): void {
    this.#follower = follower;
    this.#kept.forEach(follower);
    this.#kept = [];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#follower = null;
  }
}
