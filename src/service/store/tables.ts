import type { Generated } from "kysely";

/** Rows as SQL holds them: times in ms since the Unix epoch, booleans as 0 or 1, structures as JSON text. */
export interface Tables {
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
    kind: string;
    id: string;
    name: string;
    organization_id: string | null;
    created_at_ms: number;
    body: string;
    engine: string | null;
  };
  /** Names the secret that private settings are encrypted with. One row; none where nothing is encrypted. */
  store_secret: { key_id: string };
  built_in_entry: { kind: string; id: string };
  embed_context: {
    sequence: Generated<number>;
    id: string;
    organization_id: string;
    context_id: string;
    name: string;
    tts_type: string;
    model_style: string;
    greeting: string;
    instructions: string;
    background_image: string | null;
    max_session_sec: number;
    is_active: number;
    embed_config: string;
    created_at_ms: number;
    updated_at_ms: number;
  };
  session: {
    id: string;
    organization_id: string;
    context_uuid: string | null;
    revision: number;
    status: string;
    termination_reason: string | null;
    created_at_ms: number;
    in_progress_at_ms: number | null;
    last_seen_at_ms: number;
    ended_at_ms: number | null;
    max_session_sec: number;
    bought_min: number;
    peer_closed_at_ms: number | null;
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
    kind: string;
    detail: string | null;
    file: string | null;
    created_at_ms: number;
    terminate_reason: string | null;
  };
  /** `bytes` null: of an older version, which did not count them. */
  event_file: { name: string; session_id: string; bytes: number | null; created_at_ms: number };
  event_file_total: { id: string; bytes: number };
  session_peer: { session_id: string; process: string };
}
