import type { LineRole, Need, TalkState } from "../../../../protocol/console/live.ts";

/** How a conversation stands to people. */
export interface TalkRecord {
  sessionId: string;
  organizationId: string;
  state: TalkState;
  need: Need | null;
  sinceMs: number | null;
  accountId: string | null;
  /** The person who has joined, as visitors read it; else empty. */
  name: string;
  /** When the person's console was last heard of. */
  seenAtMs: number;
  writingUntilMs: number;
  page: string;
  path: string;
  variables: Record<string, string>;
}

/** A conversation in the list of those that go on, or are just over. */
export interface ListedTalk extends Omit<TalkRecord, "variables"> {
  contextUuid: string;
  startedAtMs: number;
  endedAtMs: number | null;
  last: { role: LineRole; text: string } | null;
}

/** A line of a conversation. */
export interface TalkLine {
  id: number;
  atMs: number;
  role: LineRole;
  name: string;
  text: string;
  answered: boolean;
}

/** Somebody who may answer. `untilMs` 0: is not there. */
export interface PresenceRecord {
  accountId: string;
  name: string;
  untilMs: number;
}

/** Conversations that people take part in, and who is there for them. */
export interface LiveStore {
  talk(sessionId: string): Promise<TalkRecord | null>;
  /** Those that go on, and those that ended since a time. */
  list(organizationId: string, nowMs: number, endedSinceMs: number): Promise<ListedTalk[]>;
  /** The lines after one, in order. */
  lines(sessionId: string, after: number): Promise<TalkLine[]>;
  addLine(sessionId: string, line: Omit<TalkLine, "id">): Promise<void>;
  /** The visitor asks for a person, or not any more. Resolves with whether that changes anything. */
  setWanted(sessionId: string, isWanted: boolean, nowMs: number): Promise<boolean>;
  /** An answer has found nothing, or something. */
  countMiss(sessionId: string, isMiss: boolean, nowMs: number): Promise<void>;
  /** What the page tells of the visit. Facts without a page are only kept where a person is wanted or looks on already. */
  describe(sessionId: string, told: Partial<Pick<TalkRecord, "page" | "path" | "variables">>): Promise<void>;
  /**
   * A person takes the conversation over: from the avatar, or from the colleague `from`. Resolves with whether nobody else has it, and it
   * still goes on.
   */
  claim(
    sessionId: string,
    claim: { accountId: string; name: string; nowMs: number; from: string | null },
  ): Promise<boolean>;
  /** The person leaves; resolves with whether that account had it. */
  release(sessionId: string, accountId: string): Promise<boolean>;
  setWriting(sessionId: string, accountId: string, untilMs: number): Promise<boolean>;
  presence(organizationId: string, accountId: string): Promise<PresenceRecord | null>;
  setPresence(organizationId: string, presence: PresenceRecord, nowMs: number): Promise<void>;
  /** An account's console is open. */
  touch(accountId: string, nowMs: number): Promise<void>;
  /** An account's console still reaches the service, for the conversations in which it answers. */
  touchTalks(accountId: string, nowMs: number): Promise<void>;
  /** Who is there. */
  people(organizationId: string, nowMs: number): Promise<PresenceRecord[]>;
  addWait(organizationId: string, nowMs: number, waitedMs: number): Promise<void>;
  /** The last waits since a time, in ms. */
  waits(organizationId: string, sinceMs: number): Promise<number[]>;
  /** How many wait, in the order in which they have asked. */
  waiting(organizationId: string): Promise<string[]>;
  /** Forgets conversations that ended before a time, and the words of those whose words are not kept. Resolves with how many. */
  removeOver(endedBeforeMs: number, limit: number): Promise<number>;
}
