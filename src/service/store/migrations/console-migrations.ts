/** The steps that made the tables of the console. Further steps belong at the end of `migrations.ts`. */
export const consoleMigrations: readonly string[] = [
  // Who can log in to the console, and where they are logged in.
  `
  create table account (
    id text primary key,
    organization_id text not null references organization (id),
    username text not null,
    username_key text not null unique,
    role text not null,
    is_first integer not null,
    password_hash text,
    replaced_password text,
    created_at_ms integer not null
  );
  create unique index account_first on account (is_first) where is_first = 1;
  create index account_organization on account (organization_id);
  create table account_login (
    id text primary key,
    account_id text not null references account (id) on delete cascade,
    address text,
    user_agent text,
    created_at_ms integer not null,
    last_seen_at_ms integer not null,
    expires_at_ms integer not null
  );
  create index account_login_account on account_login (account_id);
  create index account_login_expiry on account_login (expires_at_ms);
  create table account_invitation (
    id text primary key,
    organization_id text not null references organization (id),
    token_hash text not null unique,
    role text not null,
    note text not null,
    invited_by text not null,
    created_at_ms integer not null,
    expires_at_ms integer not null
  );
  create index account_invitation_organization on account_invitation (organization_id);
  `,
  // Who changed what.
  `
  create table audit_entry (
    sequence integer primary key autoincrement,
    organization_id text not null references organization (id),
    at_ms integer not null,
    actor_kind text not null,
    actor_id text not null,
    actor_name text not null,
    address text,
    operation text not null,
    target_id text,
    target_name text not null
  );
  create index audit_entry_list on audit_entry (organization_id, sequence);
  create index audit_entry_actor on audit_entry (organization_id, actor_id, sequence);
  `,
  // What the console's editor needs: revisions, the last versions, drafts, deletion with undo, and the pages that load a context.
  `
  alter table embed_context add column revision integer not null default 1;
  alter table embed_context add column deleted_at_ms integer;
  create table context_version (
    context_uuid text not null references embed_context (id) on delete cascade,
    revision integer not null,
    name text not null,
    tts_type text not null,
    model_style text not null,
    greeting text not null,
    instructions text not null,
    background_image text,
    max_session_sec integer not null,
    is_active integer not null,
    embed_config text not null,
    saved_at_ms integer not null,
    saved_by text not null,
    primary key (context_uuid, revision)
  );
  insert into context_version (
    context_uuid, revision, name, tts_type, model_style, greeting, instructions, background_image, max_session_sec, is_active,
    embed_config, saved_at_ms, saved_by
  )
  select id, 1, name, tts_type, model_style, greeting, instructions, background_image, max_session_sec, is_active, embed_config,
    updated_at_ms, ''
  from embed_context;
  create table context_draft (
    context_uuid text not null references embed_context (id) on delete cascade,
    account_id text not null references account (id) on delete cascade,
    revision integer not null,
    settings text not null,
    saved_at_ms integer not null,
    primary key (context_uuid, account_id)
  );
  create index context_draft_account on context_draft (account_id);
  create table context_page (
    context_uuid text not null references embed_context (id) on delete cascade,
    origin text not null,
    was_allowed integer not null,
    first_allowed_at_ms integer,
    first_seen_at_ms integer not null,
    last_seen_at_ms integer not null,
    primary key (context_uuid, origin)
  );
  create index session_time on session (organization_id, created_at_ms);
  `,
  // Conversations: figures, and what was said if the owner keeps it. The sequence is the time of the start, made unique.
  `
  create table conversation (
    sequence integer primary key,
    session_id text not null unique,
    organization_id text not null references organization (id),
    context_uuid text not null,
    started_at_ms integer not null,
    ended_at_ms integer,
    duration_sec integer not null,
    termination_reason text,
    ending text,
    questions integer not null,
    unanswered integer not null,
    helped integer,
    first_question text,
    expires_at_ms integer,
    deleted_at_ms integer
  );
  create index conversation_list on conversation (organization_id, sequence);
  create index conversation_context on conversation (organization_id, context_uuid, sequence);
  create index conversation_ending on conversation (organization_id, ending, sequence);
  create index conversation_not_helped on conversation (organization_id, sequence) where helped = 0;
  create index conversation_unanswered on conversation (organization_id, sequence) where unanswered > 0;
  create index conversation_expiry on conversation (expires_at_ms) where expires_at_ms is not null;
  create index conversation_words on conversation (context_uuid, started_at_ms) where expires_at_ms is not null;
  create index conversation_deletion on conversation (deleted_at_ms) where deleted_at_ms is not null;
  create table conversation_entry (
    sequence integer primary key autoincrement,
    session_id text not null references conversation (session_id) on delete cascade,
    at_ms integer not null,
    role text not null,
    text text not null,
    answered integer not null
  );
  create index conversation_entry_list on conversation_entry (session_id, sequence);
  `,
  // Questions that had no answer, if their words are kept, and whether they were taught or hidden.
  `
  create table unanswered_question (
    sequence integer primary key autoincrement,
    id text not null unique,
    organization_id text not null references organization (id),
    context_uuid text not null,
    session_id text not null references conversation (session_id) on delete cascade,
    at_ms integer not null,
    cause text not null,
    text text not null,
    settled_id text
  );
  create index unanswered_question_list on unanswered_question (organization_id, sequence);
  create index unanswered_question_session on unanswered_question (session_id);
  create index unanswered_question_settled on unanswered_question (settled_id) where settled_id is not null;
  create table settled_question (
    id text primary key,
    organization_id text not null references organization (id),
    context_uuid text not null references embed_context (id) on delete cascade,
    state text not null,
    question text not null,
    answer text,
    document_id text,
    block text,
    asked integer not null,
    last_asked_at_ms integer not null,
    settled_at_ms integer not null
  );
  create index settled_question_list on settled_question (organization_id, settled_at_ms);
  create index settled_question_context on settled_question (context_uuid);
  create index conversation_wordless on conversation (organization_id, context_uuid)
    where expires_at_ms is null and unanswered > 0;
  `,
];
