import { keptConversationSchema, type KeptEntry } from "../protocol/kept-conversation.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";
import type { KeptSession } from "./kept-session.ts";
import type { Remembered } from "./history.ts";
import { savedKey } from "./saved-key.ts";

/** The longest conversation that is kept: browsers give a tab 5 MB for everything. */
const entriesLimit = 200;

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
    sessionStorage.setItem(savedKey(contextId), JSON.stringify({ ...saved, transcript }));
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
    const saved = text ? keptConversationSchema.safeParse(JSON.parse(text)).data : undefined;
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
  };
}

/** An entry as the next page shows it: the page cannot go on with what was under way. */
function settledEntry(entry: TranscriptEntry): TranscriptEntry {
  if (entry.status === "streaming") return { ...entry, status: "cut" };
  return entry.status === "waiting" ? { ...entry, status: "failed", fault: "network" } : entry;
}
