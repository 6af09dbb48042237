import { consoleMigrations } from "./console-migrations.ts";
import { laterMigrations } from "./later-migrations.ts";

/** A step in the SQL of SQLite, which is translated for Postgres, or one step for each database. */
type Migration = string | { sqlite: string; postgres: string };

/**
 * The steps that create and change the tables, in order. The database stores how many of them are done. A released step must
 * not be changed; add a new one.
 */
const migrations: readonly Migration[] = [
  `
  create table organization (
    id text primary key,
    name text not null,
    created_at_ms integer not null
  );
  create table api_key (
    id text primary key,
    organization_id text not null references organization (id),
    name text not null,
    hash text not null unique,
    created_at_ms integer not null,
    expires_at_ms integer,
    revoked_at_ms integer
  );
  create table catalogue_entry (
    sequence integer primary key autoincrement,
    kind text not null,
    id text not null,
    name text not null,
    organization_id text references organization (id),
    created_at_ms integer not null,
    body text not null,
    unique (kind, id)
  );
  create index catalogue_entry_name on catalogue_entry (kind, name);
  create table embed_context (
    sequence integer primary key autoincrement,
    id text not null unique,
    organization_id text not null references organization (id),
    context_id text not null unique,
    name text not null,
    tts_type text not null,
    model_style text not null,
    greeting text not null,
    instructions text not null,
    background_image text,
    max_session_sec integer not null,
    is_active integer not null,
    embed_config text not null,
    created_at_ms integer not null,
    updated_at_ms integer not null
  );
  create table session (
    id text primary key,
    organization_id text not null references organization (id),
    context_uuid text,
    revision integer not null,
    status text not null,
    termination_reason text,
    created_at_ms integer not null,
    in_progress_at_ms integer,
    last_seen_at_ms integer not null,
    ended_at_ms integer,
    max_session_sec integer not null,
    deadline_at_ms integer
  ) without rowid;
  create index session_deadline on session (deadline_at_ms) where deadline_at_ms is not null;
  create table session_detail (
    session_id text primary key references session (id),
    request text not null,
    client_sdp text,
    server_sdp text
  );
  create table session_event (
    sequence integer primary key autoincrement,
    id text not null unique,
    session_id text not null references session (id),
    kind text not null,
    detail text,
    file text,
    created_at_ms integer not null,
    terminate_reason text
  );
  create index session_event_session on session_event (session_id);
  `,
  `alter table catalogue_entry add column engine text;`,
  `
  alter table organization add column max_active_sessions integer;
  alter table organization add column max_session_min integer;
  alter table organization add column max_month_min integer;
  alter table organization add column credits integer;
  alter table organization add column active_sessions integer not null default 0;
  update organization set active_sessions = (
    select count(*) from session
    where session.organization_id = organization.id and session.deadline_at_ms is not null
  );
  create table organization_month (
    organization_id text not null references organization (id),
    month text not null,
    minutes integer not null,
    primary key (organization_id, month)
  );
  alter table session add column bought_min integer not null default 0;
  `,
  `
  create table session_peer (
    session_id text primary key references session (id) on delete cascade,
    process text not null
  );
  `,
  {
    // With SQLite, files are in a folder.
    sqlite: "",
    postgres: `
    create table stored_file (
      name text primary key,
      bytes bytea not null
    );
    `,
  },
  // Which built-in catalogue entries were ever added. Existing stores had the first ones, even if the operator removed them.
  `
  create table built_in_entry (
    kind text not null,
    id text not null,
    primary key (kind, id)
  );
  insert into built_in_entry (kind, id)
  select column1, column2
  from (
    values
      ('model_style', 'mina'),
      ('model_style', 'tomas'),
      ('model_style', 'amara'),
      ('model_style', 'ingrid'),
      ('tts_type', 'visavis-slt'),
      ('tts_type', 'visavis-rms'),
      ('tts_type', 'visavis-awb'),
      ('tts_type', 'visavis-kal'),
      ('tts_type', 'visavis-kal16'),
      ('llm_type', 'visavis-retrieval'),
      ('background_image', 'room'),
      ('background_image', 'calm')
  ) as first_entries
  where exists (select 1 from organization);
  `,
  // In some catalogues ids are names, so two organizations may use the same id.
  {
    sqlite: `
    create table owned_entry (
      sequence integer primary key autoincrement,
      kind text not null,
      id text not null,
      name text not null,
      organization_id text references organization (id),
      created_at_ms integer not null,
      body text not null,
      engine text
    );
    insert into owned_entry (sequence, kind, id, name, organization_id, created_at_ms, body, engine)
    select sequence, kind, id, name, organization_id, created_at_ms, body, engine from catalogue_entry;
    drop table catalogue_entry;
    alter table owned_entry rename to catalogue_entry;
    create index catalogue_entry_name on catalogue_entry (kind, name);
    create unique index catalogue_entry_owner on catalogue_entry (kind, id, (coalesce(organization_id, '')));
    `,
    postgres: `
    alter table catalogue_entry drop constraint catalogue_entry_kind_id_key;
    create unique index catalogue_entry_owner on catalogue_entry (kind, id, (coalesce(organization_id, '')));
    `,
  },
  // Sizes of event files, which limit uploads. Existing files are measured at the next start.
  `
  create table event_file (
    name text primary key,
    session_id text not null references session (id) on delete cascade,
    bytes integer,
    created_at_ms integer not null
  );
  create index event_file_session on event_file (session_id);
  create index event_file_created on event_file (created_at_ms);
  insert into event_file (name, session_id, created_at_ms)
  select file, session_id, created_at_ms from session_event where file is not null;
  create table event_file_total (
    id text primary key,
    bytes integer not null
  );
  insert into event_file_total (id, bytes) values ('event files', 0);
  `,
  // Organizations without any quota get the default quotas.
  `
  update organization set max_active_sessions = 200, max_session_min = 120
  where max_active_sessions is null and max_session_min is null and max_month_min is null and credits is null;
  `,
  // From now on, a session's time ends at its last heartbeat. Sessions that have ended keep the time that was charged.
  `
  alter table session add column peer_closed_at_ms integer;
  alter table session add column holds_place integer not null default 1;
  update session set holds_place = 0, last_seen_at_ms = ended_at_ms
  where status = 'TERMINATED' and ended_at_ms is not null;
  `,
  // Which secret encrypts the private settings.
  `
  create table store_secret (
    key_id text primary key
  );
  `,
  // Lists are read by owner and in the order of the sequence.
  `
  create index catalogue_entry_list on catalogue_entry (kind, organization_id, sequence);
  create index embed_context_list on embed_context (organization_id, sequence);
  create index session_event_list on session_event (session_id, sequence);
  drop index session_event_session;
  create index api_key_organization on api_key (organization_id);
  `,
  // When the session's page announced that it is going away.
  `
  alter table session add column leaving_at_ms integer;
  `,
  // Files that visitors attach to questions. Their sizes are counted as those of event files.
  `
  create table attachment (
    id text primary key,
    session_id text not null references session (id) on delete cascade,
    name text not null,
    type text not null,
    bytes integer not null
  );
  create index attachment_session on attachment (session_id);
  `,
  ...consoleMigrations,
  // Documents that were deleted and can be restored for a short time.
  `
  create table deleted_document (
    id text primary key,
    organization_id text not null references organization (id),
    entry text not null,
    deleted_at_ms integer not null
  );
  create index deleted_document_time on deleted_document (deleted_at_ms);
  `,
  // Previews of contexts: settings that an operator tries before saving them.
  `
  create table context_preview (
    id text primary key,
    context_uuid text not null references embed_context (id) on delete cascade,
    account_id text not null references account (id) on delete cascade,
    organization_id text not null references organization (id),
    token text not null unique,
    revision integer not null,
    settings text not null,
    saved_at_ms integer not null,
    unique (context_uuid, account_id)
  );
  create index context_preview_account on context_preview (account_id);
  create index context_preview_age on context_preview (saved_at_ms);
  `,
  // Websites that avatars answer from. Whoever reads one has its row until taken_until_ms.
  `
  create table website (
    sequence integer primary key autoincrement,
    id text not null unique,
    organization_id text not null references organization (id),
    address text not null,
    every text not null,
    contexts text not null,
    state text not null,
    problem text,
    report text not null,
    has_document integer not null,
    created_at_ms integer not null,
    started_at_ms integer,
    finished_at_ms integer,
    next_at_ms integer,
    run text,
    taken_until_ms integer
  );
  create index website_list on website (organization_id, sequence);
  create index website_due on website (next_at_ms) where next_at_ms is not null;
  `,
  // What language models have used, by day, context and price.
  `
  create table model_use (
    organization_id text not null references organization (id),
    context_uuid text not null,
    day_ms integer not null,
    model text not null,
    currency text not null,
    input_tokens integer not null,
    output_tokens integer not null,
    cost_micros integer not null,
    primary key (organization_id, context_uuid, day_ms, model, currency)
  );
  create index model_use_day on model_use (organization_id, day_ms);
  `,
  // Counts the changes of an entry, so that of two editors the second one notices the first.
  `
  alter table catalogue_entry add column revision integer not null default 1;
  `,
  // Counts how often the reading of a website was begun and never finished.
  `
  alter table website add column attempts integer not null default 0;
  `,
  ...laterMigrations,
];

/** Translations from SQLite to Postgres. */
const postgresTerms: readonly (readonly [RegExp, string])[] = [
  [/\binteger primary key autoincrement\b/gi, "bigint generated by default as identity primary key"],
  [/\binteger\b/gi, "bigint"],
  [/\breal\b/gi, "double precision"],
  [/\bblob\b/gi, "bytea"],
  [/\bwithout rowid\b/gi, ""],
];

function toPostgres(step: string): string {
  return postgresTerms.reduce((text, [word, meaning]) => text.replace(word, meaning), step);
}

/** The steps for SQLite. */
export const sqliteMigrations: readonly string[] = migrations.map((step) =>
  typeof step === "string" ? step : step.sqlite,
);

/** The same steps for Postgres. The tables are the same, so that both databases use the same queries. */
export const postgresMigrations: readonly string[] = migrations.map((step) =>
  typeof step === "string" ? toPostgres(step) : step.postgres,
);
