import type { AvatarSessionOptions } from "./avatar-session.ts";
import type { Call } from "./call.ts";
import type { KeptSession } from "./kept-session.ts";
import type { Conversation } from "./conversation.ts";
import { saveConversation, takeConversation } from "./saved-conversation.ts";

/** What the keeper needs from its session. */
export interface KeptHost {
  readonly options: AvatarSessionOptions;
  readonly conversation: Conversation;
  /** Whether the context lets conversations be kept. */
  readonly persist: "off" | "tab" | undefined;
  /** No session runs, and the element is still there. */
  readonly isFree: boolean;
  startKept(kept: KeptSession): void;
}

/** Keeps a session's conversation from one page of a tab to the next. */
export class ConversationKeeper {
  readonly #host: KeptHost;

  constructor(host: KeptHost) {
    this.#host = host;
  }

  /** Keeps the conversation for the tab's next page, or for this one if the browser brings it back. False if it cannot. */
  keep({ relay, heartbeat }: Call): boolean {
    const { options, conversation, persist } = this.#host;
    if (persist !== "tab") return false;
    const isKept = saveConversation(options.contextId, {
      session: { id: relay.sessionId, token: relay.token, isReported: heartbeat.isReported },
      transcript: conversation.transcript.entries,
      memory: conversation.memory,
      view: options.view?.() ?? {},
    });
    if (isKept) addEventListener("pageshow", ({ persisted }) => persisted && this.resume(), { once: true });
    return isKept;
  }

  /** Takes up what the tab's last page has kept. Returns what its interface kept with it; null if there is nothing. */
  resume(): Record<string, boolean> | null {
    const { isFree, options, conversation } = this.#host;
    const saved = isFree ? takeConversation(options.contextId) : null;
    if (!saved) return null;
    conversation.memory = [...saved.memory];
    conversation.transcript.restore(saved.transcript);
    if (saved.session) this.#host.startKept(saved.session);
    return saved.view;
  }
}
