import type { UnansweredCause } from "../../protocol/console/unanswered.ts";

/** A question that had no answer, in a visitor's words. It is removed with the words of its conversation. */
export interface UnansweredQuestion {
  id: string;
  contextUuid: string;
  atMs: number;
  cause: UnansweredCause;
  text: string;
  /** Whether it was taught or hidden; null: neither yet. */
  settledId: string | null;
}

/** How questions that mean the same were settled: taught or hidden. */
export interface SettledQuestion {
  id: string;
  organizationId: string;
  contextUuid: string;
  state: "taught" | "hidden";
  /** One of its wordings. */
  question: string;
  answer: string | null;
  /** The document that has the answer, and the text that was added to it. */
  documentId: string | null;
  block: string | null;
  asked: number;
  lastAskedAtMs: number;
  settledAtMs: number;
}

/** Which questions are meant: all of an organization, or those of one context. */
export interface UnansweredScope {
  organizationId: string;
  contextUuid?: string | undefined;
}

/** Questions that had no answer. */
export interface UnansweredStore {
  /** The latest first. */
  list(scope: UnansweredScope, limit: number): Promise<UnansweredQuestion[]>;
  /** How many there were in conversations whose words are not kept. */
  countWithoutWords(scope: UnansweredScope): Promise<number>;
  /** The latest first. */
  settled(scope: UnansweredScope): Promise<SettledQuestion[]>;
  settledById(organizationId: string, id: string): Promise<SettledQuestion | null>;
  /** Settles questions that nobody has settled yet. */
  settle(settled: SettledQuestion, questionIds: readonly string[]): Promise<void>;
  /** Undoes that. */
  unsettle(organizationId: string, id: string): Promise<void>;
}
