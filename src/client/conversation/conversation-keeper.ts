import { keptConversationSchema, type KeptEntry } from "../../protocol/answers/kept-conversation.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";
import type { Remembered } from "./history.ts";
import { savedKey } from "./saved-key.ts";
import type { AvatarSessionOptions } from "../link/avatar-session.ts";
import type { Call } from "../link/call.ts";
import type { Conversation } from "./conversation.ts";

/** A session that an earlier page of the tab has left. */
export interface KeptSession {
  readonly id: string;
  readonly token: string;
  /** Whether its START was reported. */
  readonly isReported: boolean;
}

/** The longest conversation that is kept: browsers give a tab 5 MB for everything. */
const entriesLimit = 200;
/** What is longer is not parsed: the page would stand still meanwhile. Then fewer entries are kept. */
const keptMaxCharacters = 1_000_000;

/** A conversation as a tab keeps it from one page to the next. */
export interface SavedConversation {
  readonly session: KeptSession | null;
  readonly transcript: readonly TranscriptEntry[];
  readonly memory: readonly Remembered[];
  readonly view: Record<string, boolean>;
}

/**
 * Keeps a conversation for the tab's next page. It is there only between two pages: the next page takes it away, so that a
 * duplicated tab, which copies the storage of this one, has nothing to take up. False where nothing can be stored.
 */
export function saveConversation(contextId: string, saved: SavedConversation): boolean {
  const transcript = saved.transcript.slice(-entriesLimit).map(settledEntry);
  try {
    let text = JSON.stringify({ ...saved, transcript });
    for (let count = transcript.length; text.length > keptMaxCharacters && count > 0;) {
      count >>= 1;
      text = JSON.stringify({ ...saved, transcript: count ? transcript.slice(-count) : [] });
    }
    sessionStorage.setItem(savedKey(contextId), text);
    return true;
  } catch {
    return false;
  }
}

/** Takes the conversation that the tab's last page has kept; null if there is none that can be read. */
export function takeConversation(contextId: string): SavedConversation | null {
  try {
    const text = sessionStorage.getItem(savedKey(contextId));
    sessionStorage.removeItem(savedKey(contextId));
    if (!text || text.length > keptMaxCharacters) return null;
    const saved = keptConversationSchema.safeParse(JSON.parse(text)).data;
    return saved ? { ...saved, transcript: saved.transcript.map(withoutUndefined) } : null;
  } catch {
    return null;
  }
}

function withoutUndefined({
  fault,
  unspoken,
  rest,
  content,
  found,
  sources,
  name,
  note,
  line,
  attachments,
  ...entry
}: KeptEntry): TranscriptEntry {
  return {
    ...entry,
    ...(attachments && {
      attachments: attachments.map(({ at, ...file }) => ({ ...file, ...(at && { at }) })),
    }),
    ...(fault && { fault }),
    ...(unspoken && { unspoken }),
    ...(rest && { rest }),
    ...(content && { content }),
    ...(found === false && { found }),
    ...(sources && { sources }),
    ...(name !== undefined && { name }),
    ...(note && { note }),
    ...(line !== undefined && { line }),
  };
}

/** An entry as the next page shows it: the page cannot go on with what was under way. */
function settledEntry(entry: TranscriptEntry): TranscriptEntry {
  if (entry.status === "streaming") return { ...entry, status: "cut" };
  return entry.status === "waiting" ? { ...entry, status: "failed", fault: "network" } : entry;
}

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
