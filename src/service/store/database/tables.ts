import type { Generated } from "kysely";
import type { ConversationEnding } from "../../../protocol/console/conversations.ts";
import type { LineRole, Need, TalkState } from "../../../protocol/console/live.ts";
import type { UnansweredCause } from "../../../protocol/console/unanswered.ts";
import type { AccountRole } from "../../../protocol/console/accounts.ts";
import type { WebsiteReason, WebsiteSchedule, WebsiteState } from "../../../protocol/console/websites.ts";
import type { EventTerminateReason, SessionEventKind } from "../../../protocol/session/session-event.ts";
import type { SessionStatus, TerminationReason } from "../../../protocol/session/session.ts";
import type { CatalogueKind } from "../entities/catalogue-store.ts";
import type { WebhookTables } from "./webhook-tables.ts";
import type { InboxMessageColumns } from "../entities/inbox-store.ts";

/** The settings of a context, in its row and in those of its versions. */
interface ContextSettingsColumns {
  name: string;
  tts_type: string;
  model_style: string;
  greeting: string;
  instructions: string;
  background_image: string | null;
  max_session_sec: number;
  is_active: number;
  embed_config: string;
}

/** The tables. Times are in ms since the Unix epoch, booleans 0 or 1, structures JSON texts. */
export interface Tables extends WebhookTables {
  organization: {
    id: string;
    name: string;
    created_at_ms: number;
    max_active_sessions: number | null;
    max_session_min: number | null;
    max_month_min: number | null;
    credits: number | null;
    active_sessions: Generated<number>;
  };
  organization_month: { organization_id: string; month: string; minutes: number };
  api_key: {
    id: string;
    organization_id: string;
    name: string;
    hash: string;
    created_at_ms: number;
    expires_at_ms: number | null;
    revoked_at_ms: number | null;
  };
  catalogue_entry: {
    sequence: Generated<number>;
    kind: CatalogueKind;
    id: string;
    name: string;
    organization_id: string | null;
    created_at_ms: number;
    body: string;
    engine: string | null;
    /** Counts the changes; 1: as it was added. */
    revision: Generated<number>;
  };
  /** Identifies the secret that encrypts private settings. One row; none if nothing is encrypted. */
  store_secret: { key_id: string };
  built_in_entry: { kind: CatalogueKind; id: string };
  embed_context: ContextSettingsColumns & {
    sequence: Generated<number>;
    id: string;
    organization_id: string;
    context_id: string;
    created_at_ms: number;
    updated_at_ms: number;
    revision: Generated<number>;
    /** When its owner deleted it. It is removed soon after; until then it can be restored. */
    deleted_at_ms: number | null;
  };
  /** The settings of a context as they were saved last. */
  context_version: ContextSettingsColumns & {
    context_uuid: string;
    revision: number;
    saved_at_ms: number;
    saved_by: string;
  };
  context_draft: {
    context_uuid: string;
    account_id: string;
    revision: number;
    settings: string;
    saved_at_ms: number;
  };
  context_preview: {
    id: string;
    context_uuid: string;
    account_id: string;
    organization_id: string;
    token: string;
    revision: number;
    settings: string;
    saved_at_ms: number;
  };
  context_page: {
    context_uuid: string;
    origin: string;
    was_allowed: number;
    first_allowed_at_ms: number | null;
    first_seen_at_ms: number;
    last_seen_at_ms: number;
  };
  session: {
    id: string;
    organization_id: string;
    context_uuid: string | null;
    revision: number;
    status: SessionStatus;
    termination_reason: TerminationReason | null;
    created_at_ms: number;
    in_progress_at_ms: number | null;
    last_seen_at_ms: number;
    ended_at_ms: number | null;
    max_session_sec: number;
    bought_min: number;
    peer_closed_at_ms: number | null;
    leaving_at_ms: number | null;
    holds_place: number;
    deadline_at_ms: number | null;
  };
  session_detail: {
    session_id: string;
    request: string;
    client_sdp: string | null;
    server_sdp: string | null;
  };
  session_event: {
    sequence: Generated<number>;
    id: string;
    session_id: string;
    kind: SessionEventKind;
    detail: string | null;
    file: string | null;
    created_at_ms: number;
    terminate_reason: EventTerminateReason | null;
  };
  /** `bytes` is null for files of an older version, which did not store sizes. */
  event_file: { name: string; session_id: string; bytes: number | null; created_at_ms: number };
  event_file_total: { id: string; bytes: number };
  attachment: { id: string; session_id: string; name: string; type: string; bytes: number };
  session_peer: { session_id: string; process: string };
  account: {
    id: string;
    organization_id: string;
    username: string;
    /** The user name in the form in which it is unique. */
    username_key: string;
    role: AccountRole;
    is_first: number;
    password_hash: string | null;
    replaced_password: string | null;
    created_at_ms: number;
  };
  account_login: {
    id: string;
    account_id: string;
    address: string | null;
    user_agent: string | null;
    created_at_ms: number;
    last_seen_at_ms: number;
    expires_at_ms: number;
  };
  audit_entry: {
    sequence: Generated<number>;
    organization_id: string;
    at_ms: number;
    actor_kind: "operator" | "key" | "unknown";
    actor_id: string;
    actor_name: string;
    address: string | null;
    operation: string;
    target_id: string | null;
    target_name: string;
  };
  conversation: {
    sequence: number;
    session_id: string;
    organization_id: string;
    context_uuid: string;
    started_at_ms: number;
    ended_at_ms: number | null;
    duration_sec: number;
    termination_reason: TerminationReason | null;
    /** The group of the reason, which lists are filtered by. */
    ending: ConversationEnding | null;
    questions: number;
    unanswered: number;
    helped: number | null;
    first_question: string | null;
    expires_at_ms: number | null;
    deleted_at_ms: number | null;
  };
  conversation_entry: {
    sequence: Generated<number>;
    session_id: string;
    at_ms: number;
    role: LineRole;
    text: string;
    answered: number;
    /** The person who speaks or whispers. */
    name: Generated<string>;
  };
  /** A conversation in which a person is wanted, takes part, or looks on. */
  live_talk: {
    session_id: string;
    organization_id: string;
    state: TalkState;
    need: Need | null;
    since_ms: number | null;
    /** How many answers in a row have found nothing. */
    misses: number;
    account_id: string | null;
    name: string;
    /** When the person's console was last heard of. */
    seen_at_ms: number;
    writing_until_ms: number;
    page: string;
    path: string;
    /** As JSON. */
    variables: string;
  };
  operator_presence: {
    account_id: string;
    organization_id: string;
    /** As visitors read it. */
    name: string;
    until_ms: number;
    seen_at_ms: number;
  };
  inbox_message: InboxMessageColumns;
  person_wait: { organization_id: string; at_ms: number; waited_ms: number };
  unanswered_question: {
    sequence: Generated<number>;
    id: string;
    organization_id: string;
    context_uuid: string;
    session_id: string;
    at_ms: number;
    cause: UnansweredCause;
    text: string;
    /** Whether it was taught or hidden; null: neither yet. */
    settled_id: string | null;
  };
  settled_question: {
    id: string;
    organization_id: string;
    context_uuid: string;
    state: "taught" | "hidden";
    question: string;
    answer: string | null;
    document_id: string | null;
    /** The text that was added to the document. */
    block: string | null;
    asked: number;
    last_asked_at_ms: number;
    settled_at_ms: number;
  };
  deleted_document: {
    id: string;
    organization_id: string;
    /** Its body and private settings, and the contexts that named it, as JSON. */
    entry: string;
    deleted_at_ms: number;
  };
  website: {
    sequence: Generated<number>;
    id: string;
    organization_id: string;
    address: string;
    every: WebsiteSchedule;
    /** The contexts that will answer from it, as JSON. */
    contexts: string;
    /** Which pages are read, as JSON. */
    paths: Generated<string>;
    state: WebsiteState;
    problem: WebsiteReason | null;
    /** As JSON. */
    report: string;
    has_document: number;
    created_at_ms: number;
    started_at_ms: number | null;
    finished_at_ms: number | null;
    next_at_ms: number | null;
    attempts: Generated<number>;
    /** Whoever reads it now, and until when. */
    run: string | null;
    taken_until_ms: number | null;
  };
  model_use: {
    organization_id: string;
    /** Empty: sessions without a context. */
    context_uuid: string;
    day_ms: number;
    model: string;
    /** Empty: the model has no price. */
    currency: string;
    input_tokens: number;
    output_tokens: number;
    cost_micros: number;
  };
  account_invitation: {
    id: string;
    organization_id: string;
    token_hash: string;
    role: AccountRole;
    note: string;
    invited_by: string;
    created_at_ms: number;
    expires_at_ms: number;
  };
}
