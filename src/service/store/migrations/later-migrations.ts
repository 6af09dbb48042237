/** The steps after the others. */
export const laterMigrations: readonly string[] = [
  // The characters in the details of all events, beside the bytes of their files.
  `insert into event_file_total (id, bytes) select 'event details', coalesce(sum(length(detail)), 0) from session_event;`,
  // Which pages of a website are read.
  `alter table website add column paths text not null default '{"include":[],"exclude":[]}';`,
  // Conversations in which people take part, who is there to answer, and how long visitors have waited for them.
  `
  alter table conversation_entry add column name text not null default '';
  create table live_talk (
    session_id text primary key references conversation (session_id) on delete cascade,
    organization_id text not null references organization (id),
    state text not null,
    need text,
    since_ms integer,
    misses integer not null,
    account_id text,
    name text not null,
    seen_at_ms integer not null,
    writing_until_ms integer not null,
    page text not null,
    path text not null,
    variables text not null
  );
  create index live_talk_state on live_talk (organization_id, state);
  create index live_talk_account on live_talk (account_id) where account_id is not null;
  create table operator_presence (
    account_id text primary key references account (id) on delete cascade,
    organization_id text not null references organization (id),
    name text not null,
    until_ms integer not null,
    seen_at_ms integer not null
  );
  create index operator_presence_time on operator_presence (organization_id, until_ms);
  create table person_wait (
    organization_id text not null references organization (id),
    at_ms integer not null,
    waited_ms integer not null
  );
  create index person_wait_time on person_wait (organization_id, at_ms);
  `,
  // Where owners are told of events, and what was sent there. Whoever sends one has its row until taken_until_ms.
  `
  create table webhook (
    sequence integer primary key autoincrement,
    id text not null unique,
    organization_id text not null references organization (id),
    target text not null,
    events text not null,
    with_words integer not null,
    state text not null,
    failures integer not null,
    created_at_ms integer not null
  );
  create index webhook_list on webhook (organization_id, sequence);
  create table webhook_delivery (
    sequence integer primary key autoincrement,
    id text not null unique,
    webhook_id text not null references webhook (id) on delete cascade,
    session_id text not null,
    type text not null,
    at_ms integer not null,
    data text not null,
    words text,
    state text not null,
    attempts integer not null,
    attempted_at_ms integer,
    next_at_ms integer,
    status integer,
    problem text,
    run text,
    taken_until_ms integer
  );
  create index webhook_delivery_list on webhook_delivery (webhook_id, sequence);
  create index webhook_delivery_session on webhook_delivery (session_id, webhook_id);
  create index webhook_delivery_due on webhook_delivery (next_at_ms) where next_at_ms is not null;
  `,
  // Messages that visitors leave while nobody is there.
  `
  create table inbox_message (
    sequence integer primary key autoincrement,
    id text not null unique,
    session_id text not null references conversation (session_id) on delete cascade,
    request_id text not null,
    organization_id text not null references organization (id),
    context_uuid text not null,
    at_ms integer not null,
    state text not null,
    state_by text not null,
    text text not null,
    name text not null,
    email text not null,
    phone text not null,
    page text not null,
    agreed_to text not null,
    deleted_at_ms integer,
    unique (session_id, request_id)
  );
  create index inbox_message_list on inbox_message (organization_id, state, sequence);
  create index inbox_message_time on inbox_message (at_ms);
  create index inbox_message_deleted on inbox_message (deleted_at_ms) where deleted_at_ms is not null;
  `,
];
