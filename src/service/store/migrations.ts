/** A step in the words of SQLite, which Postgres gets translated; or, where that does not do, one for each. */
type Migration = string | { sqlite: string; postgres: string };

/**
 * The steps that make and change the tables, in order. The number of steps done is kept in the database. A step that was
 * released is never changed: a new one is added.
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
    // Beside SQLite the files lie in a folder.
    sqlite: "",
    postgres: `
    create table stored_file (
      name text primary key,
      bytes bytea not null
    );
    `,
  },
  // Which built-in catalogue entries were ever added. A store that was filled before has had the first of them, whether or
  // not its operator kept them.
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
  // Ids are names in some catalogues, so two organizations may have the same.
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
  // Files of events are counted, and go after a while. Files that are there already are measured at the next start.
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
  // Organizations that were never given a quota get those of new ones.
  `
  update organization set max_active_sessions = 200, max_session_min = 120
  where max_active_sessions is null and max_session_min is null and max_month_min is null and credits is null;
  `,
  // Time counts to the last sign of life from here on; sessions that have ended keep the time that they were charged for.
  `
  alter table session add column peer_closed_at_ms integer;
  alter table session add column holds_place integer not null default 1;
  update session set holds_place = 0, last_seen_at_ms = ended_at_ms
  where status = 'TERMINATED' and ended_at_ms is not null;
  `,
  // Which secret the private settings are encrypted with.
  `
  create table store_secret (
    key_id text primary key
  );
  `,
];

/** What SQLite's words are called in Postgres, where numbers of 64 bits have a type of their own. */
const postgresWords: readonly (readonly [RegExp, string])[] = [
  [/\binteger primary key autoincrement\b/gi, "bigint generated by default as identity primary key"],
  [/\binteger\b/gi, "bigint"],
  [/\breal\b/gi, "double precision"],
  [/\bblob\b/gi, "bytea"],
  [/\bwithout rowid\b/gi, ""],
];

function inPostgresWords(step: string): string {
  return postgresWords.reduce((text, [word, meaning]) => text.replace(word, meaning), step);
}

/** The steps for SQLite. */
export const sqliteMigrations: readonly string[] = migrations.map((step) =>
  typeof step === "string" ? step : step.sqlite,
);

/** The same steps for Postgres: the tables are alike, so one set of queries serves both. */
export const postgresMigrations: readonly string[] = migrations.map((step) =>
  typeof step === "string" ? inPostgresWords(step) : step.postgres,
);
