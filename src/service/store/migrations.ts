/**
 * The steps that make and change the tables, in order. The number of steps done is kept in the database
 * (`user_version`). A step that was released is never changed: a new one is added.
 */
export const migrations: readonly string[] = [
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
];
