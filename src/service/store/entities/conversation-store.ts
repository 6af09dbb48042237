import type { ConversationEnding } from "../../../protocol/console/conversations.ts";
import type { LineRole } from "../../../protocol/console/live.ts";
import type { UnansweredCause } from "../../../protocol/console/unanswered.ts";
import type { TerminationReason } from "../../../protocol/session/session.ts";
import type { Page, PageRequest } from "../database/paging.ts";

/** A conversation of a visitor with an avatar. Its figures are always kept. */
export interface ConversationRecord {
  sessionId: string;
  organizationId: string;
  contextUuid: string;
  startedAtMs: number;
  endedAtMs: number | null;
  durationSec: number;
  terminationReason: TerminationReason | null;
  questions: number;
  unanswered: number;
  /** What the visitor said at the end; null: nothing. */
  helped: boolean | null;
  firstQuestion: string | null;
  /** When its words are deleted; null: none are kept. */
  expiresAtMs: number | null;
}

/** Something that was said. */
export interface ConversationEntry {
  atMs: number;
  role: LineRole;
  text: string;
  /** False: the avatar said that it found nothing; of a whisper: it was a fact and not to be said. */
  answered: boolean;
  /** Who spoke, if it was a person. */
  name: string;
}

/** A question and its answer. The texts are stored only where the conversation keeps words. */
export interface RecordedTurn {
  atMs: number;
  answeredAtMs: number;
  question: string;
  answer: string;
  /** What showed that the question had no answer; null: it had one. */
  missing: UnansweredCause | null;
  /** Whether the question is stored already. */
  isNoted?: boolean;
}

/** Which conversations a list contains. */
export interface ConversationFilter {
  contextUuid?: string | undefined;
  fromMs?: number | undefined;
  /** Not included. */
  toMs?: number | undefined;
  ended?: ConversationEnding | undefined;
  didNotHelp?: boolean | undefined;
  unanswered?: boolean | undefined;
  /** All of them are in what was said, in any case. */
  words?: readonly string[] | undefined;
}

/** Figures of the conversations that began in a quarter of an hour. */
export interface FiguresOfQuarter {
  /** When it began. */
  atMs: number;
  conversations: number;
  questions: number;
  unanswered: number;
  /** Conversations with a question that had no answer. */
  withUnanswered: number;
  talkingSec: number;
}

/** Which conversations are meant: all of an organization, or those of one context. */
export interface ConversationScope {
  organizationId: string;
  contextUuid?: string | undefined;
}

/** Conversations, and what was said in them. */
export interface ConversationStore {
  /** Adds a conversation unless it exists. `expiresAtMs`: until when its words are kept; null: they are not kept. */
  begin(
    conversation: Pick<
      ConversationRecord,
      "sessionId" | "organizationId" | "contextUuid" | "startedAtMs" | "expiresAtMs"
    >,
  ): Promise<void>;
  end(
    sessionId: string,
    end: Pick<ConversationRecord, "endedAtMs" | "durationSec" | "terminationReason">,
  ): Promise<void>;
  /** Stores a question before it is answered. */
  addQuestion(sessionId: string, asked: Pick<RecordedTurn, "atMs" | "question">): Promise<void>;
  addTurn(sessionId: string, turn: RecordedTurn): Promise<void>;
  setHelped(sessionId: string, helped: boolean): Promise<void>;
  /**
   * Counts the last question as one without an answer, because the visitor says that it did not help. A conversation in which one is
   * counted already stays as it is.
   */
  addUnhelpful(sessionId: string, atMs: number): Promise<void>;
  /** Whether the words of a conversation are kept now. */
  keepsWords(sessionId: string): Promise<boolean>;
  byId(organizationId: string, sessionId: string): Promise<ConversationRecord | null>;
  entries(sessionId: string): Promise<ConversationEntry[]>;
  /** The newest first. A search for words looks at so many conversations only; `next` says where it goes on. */
  page(
    organizationId: string,
    filter: ConversationFilter,
    request: PageRequest,
  ): Promise<Page<ConversationRecord>>;
  /** The figures since a time. Quarters without a conversation are missing. */
  figures(scope: ConversationScope, fromMs: number): Promise<FiguresOfQuarter[]>;
  /** How many conversations there are, and of how many the words are kept. */
  count(organizationId: string): Promise<{ all: number; withWords: number }>;
  /** How long it took from the creation of sessions with a picture to their connection, in ms, since a time. */
  connectionTimes(scope: ConversationScope, fromMs: number): Promise<number[]>;
  /** Marks conversations as deleted (one, or all of the organization); resolves with how many. */
  setDeleted(organizationId: string, sessionId: string | null, deletedAtMs: number): Promise<number>;
  /** Undoes deletions; resolves with how many. */
  restore(organizationId: string, sessionId: string | null): Promise<number>;
  /** Removes what was deleted before a time, at most `limit`; resolves with how many conversations. */
  removeDeleted(beforeMs: number, limit: number): Promise<number>;
  /** Removes the words that have expired, of at most `limit` conversations; resolves with how many. */
  removeExpiredWords(nowMs: number, limit: number): Promise<number>;
}
