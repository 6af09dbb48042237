import type { AvatarSession } from "../../client/link/avatar-session.ts";
import type { VisitorVoice } from "../../client/session-events.ts";

/** How loud the visitor is, for an avatar that listens. */
export class VisitorEar {
  #session: AvatarSession | null = null;
  #voice: VisitorVoice | null = null;

  /** The level now, 0 to 1; null while no microphone is on. */
  level(session: AvatarSession | null): number | null {
    if (session?.microphone !== "on") return null;
    if (session !== this.#session) void this.#follow(session);
    return this.#voice?.level ?? null;
  }

  async #follow(session: AvatarSession): Promise<void> {
    this.#session = session;
    this.#voice = null;
    const voice = await session.voice().catch(() => null);
    if (session === this.#session) this.#voice = voice;
  }
}
