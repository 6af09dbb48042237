import type {
  WebhookDelivery,
  WebhookEvent,
  WebhookMessage,
  WebhookProblem,
  WebhookState,
} from "../../../../protocol/console/webhooks.ts";
import type { Page, PageRequest } from "../../database/paging.ts";

/** Where an owner is told of events. */
export interface WebhookRecord {
  id: string;
  organizationId: string;
  address: string;
  /** Signs the requests: `whsec_…`. */
  secret: string;
  events: readonly WebhookEvent[];
  /** Whether what visitors said is sent. */
  withWords: boolean;
  state: WebhookState;
  /** How many attempts in a row have failed. */
  failures: number;
  createdAtMs: number;
}

/** What is sent to a webhook. */
export interface WebhookContent {
  /** Also the `webhook-id` of its requests. */
  id: string;
  webhookId: string;
  /** Empty: it is of no conversation. */
  sessionId: string;
  type: WebhookMessage;
  /** When it happened. */
  atMs: number;
  data: Readonly<Record<string, unknown>>;
  /** What visitors said. It is removed with the words of the conversation. */
  words: Readonly<Record<string, unknown>> | null;
}

/** The same, and how far it is. */
export interface WebhookDeliveryRecord extends WebhookContent {
  state: WebhookDelivery["state"];
  /** How often it was sent, since it happened or somebody sent it again. */
  attempts: number;
  attemptedAtMs: number | null;
  /** Null: it is not sent any more. */
  nextAtMs: number | null;
  /** Of the last answer; null: there was none. */
  status: number | null;
  problem: WebhookProblem | null;
}

/** A delivery that one process sends. */
export interface WebhookLease {
  webhook: WebhookRecord;
  delivery: WebhookDeliveryRecord;
  /** Unique for each attempt. */
  run: string;
}

/** How an attempt ended. A problem: it failed, and is repeated at `nextAtMs` if there is one. */
export interface WebhookOutcome extends Pick<WebhookDeliveryRecord, "nextAtMs" | "status" | "problem"> {
  attemptedAtMs: number;
}

/** How much is stored for a webhook. */
export interface WebhookLimits {
  /** Deliveries that wait. */
  waiting: number;
  /** Deliveries of one type in one conversation: a visitor may cause many. */
  ofConversation: number;
}

/** Webhooks, and what is sent to them. One process sends a delivery at a time. */
export interface WebhookStore {
  insert(webhook: WebhookRecord): Promise<void>;
  /** In the order in which they were added. */
  list(organizationId: string): Promise<WebhookRecord[]>;
  find(organizationId: string, id: string): Promise<WebhookRecord | null>;
  /** Resolves with whether there was one. Its deliveries are removed too. */
  remove(organizationId: string, id: string): Promise<boolean>;
  /** Turns a webhook on again; it has no failures then. */
  turnOn(organizationId: string, id: string): Promise<void>;
  /** Adds a delivery, which is due at once. False: the limits leave no room for it. */
  add(content: WebhookContent, limits: WebhookLimits): Promise<boolean>;
  /** The newest first. */
  deliveries(webhookId: string, request: PageRequest): Promise<Page<WebhookDeliveryRecord>>;
  delivery(webhookId: string, id: string): Promise<WebhookDeliveryRecord | null>;
  /** Begins anew with the attempts of a delivery. */
  again(webhookId: string, id: string, nowMs: number): Promise<void>;
  /**
   * Takes a delivery that is due, until `untilMs`; null: there is none. A webhook gets one after another. With an id just that one,
   * also if its webhook is off.
   */
  take(run: string, nowMs: number, untilMs: number, id?: string): Promise<WebhookLease | null>;
  /**
   * Notes how an attempt ended, and counts the failures in a row: with `mostFailures` the webhook is turned off. Resolves with the
   * state that the webhook got now; null: it has the same as before.
   */
  finish(lease: WebhookLease, outcome: WebhookOutcome, mostFailures: number): Promise<WebhookState | null>;
  /** Leaves a delivery to the next process. */
  giveBack(lease: WebhookLease): Promise<void>;
  /** Removes deliveries from before a time, and of each webhook those beyond so many that do not wait. Resolves with how many. */
  trim(beforeMs: number, most: number): Promise<number>;
}
