import { createHmac } from "node:crypto";
import type { IceServer } from "../../../protocol/session/ice.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { ServiceSettings } from "../../service-settings.ts";
import type { SessionCreated, SessionRetrieved } from "../../../protocol/session/session.ts";
import { capabilityDescriptions } from "../../capability-descriptions.ts";
import type { CatalogueKind, CatalogueKinds } from "../../store/entities/catalogue-store.ts";
import type { SessionDetail, SessionRecord, SessionRequest } from "../../store/store.ts";
import type { PublicFiles } from "../connection/public-files.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { sessionDurationSec } from "./session-machine.ts";
import { findPrompt } from "./session-references.ts";

/**
 * The STUN and TURN servers for the client of a session. Each session gets its own TURN credentials, and they expire. The user
 * name is `<expiry, Unix seconds>:<session reference>`. The password is its HMAC-SHA1 with the secret shared with the TURN server
 * (coturn, `use-auth-secret`; draft-uberti-behave-turn-rest).
 */
export function iceServersFor(
  { servers, turn }: ServiceSettings["ice"],
  sessionId: string,
  nowMs: number,
): IceServer[] {
  const own = servers.map((server) => ({ ...server }));
  if (!turn) return own;
  const username = `${Math.floor(nowMs / 1_000) + turn.ttlSec}:${sessionReference(sessionId)}`;
  const credential = createHmac("sha1", turn.secret).update(username).digest("base64");
  return [...own, { urls: [...turn.urls], username, credential }];
}

/** The response to a create: the request's fields, null where they were omitted. */
export function createdView({ id, state }: SessionRecord, request: SessionRequest): SessionCreated {
  return {
    session_id: id,
    created_at: new Date(state.createdAtMs).toISOString(),
    status: state.status,
    capability: request.capability,
    prompt: request.prompt ?? null,
    document: request.document ?? null,
    llm_type: request.llm_type ?? null,
    tts_type: request.tts_type ?? null,
    text_normalization_config: request.text_normalization_config ?? null,
    text_normalization_locale: request.text_normalization_locale ?? null,
    stt_type: request.stt_type ?? null,
    stt_text_normalization_config: request.stt_text_normalization_config ?? null,
    stt_text_normalization_locale: request.stt_text_normalization_locale ?? null,
    model_style: request.model_style ?? null,
    agent: request.agent ?? null,
    agent_config: request.agent_config ?? null,
    interactive_agent_config: request.interactive_agent_config ?? null,
    padding_left: request.padding_left,
    padding_top: request.padding_top,
    padding_height: request.padding_height,
    background_image: request.background_image ?? null,
    extra_data: request.extra_data ?? null,
    mcp_servers: request.mcp_servers ?? [],
  };
}

/** The current objects behind a session's identifiers; null where there is none. */
async function nestedObjects(
  { store }: Pick<SessionDependencies, "store">,
  organizationId: string,
  request: SessionRequest,
) {
  const find = <Kind extends CatalogueKind>(
    kind: Kind,
    identifier: string | undefined,
  ): Promise<CatalogueKinds[Kind] | null> =>
    identifier === undefined ? Promise.resolve(null) : store.catalogue.find(kind, organizationId, identifier);
  const servers = await Promise.all((request.mcp_servers ?? []).map((name) => find("mcp_server", name)));
  return {
    prompt: request.prompt === undefined ? null : await findPrompt(store, organizationId, request.prompt),
    llm_type: await find("llm_type", request.llm_type),
    tts_type: await find("tts_type", request.tts_type),
    stt_type: await find("stt_type", request.stt_type),
    text_normalization_config: await find("text_normalization_config", request.text_normalization_config),
    stt_text_normalization_config: await find(
      "text_normalization_config",
      request.stt_text_normalization_config,
    ),
    agent_config: await find("agent_config", request.agent_config),
    interactive_agent_config: await find("interactive_agent_config", request.interactive_agent_config),
    mcp_servers: servers.filter((server) => server !== null),
    model_style: await find("model_style", request.model_style),
    background_image: await find("background_image", request.background_image),
  };
}

/** The response to a retrieve for a caller with an API key, with every nested object. */
export async function retrievedView(
  dependencies: Pick<SessionDependencies, "store" | "clock" | "settings">,
  files: PublicFiles,
  session: SessionRecord,
  detail: SessionDetail,
): Promise<SessionRetrieved> {
  const { request } = detail;
  const { state } = session;
  const nested = await nestedObjects(dependencies, session.organizationId, request);
  return {
    session_id: session.id,
    client_sdp: detail.clientSdp,
    server_sdp: detail.serverSdp,
    ...nested,
    model_style: nested.model_style && files.modelStyle(nested.model_style),
    background_image: nested.background_image && files.backgroundImage(nested.background_image),
    text_normalization_locale: request.text_normalization_locale ?? null,
    stt_text_normalization_locale: request.stt_text_normalization_locale ?? null,
    ice_servers: iceServersFor(dependencies.settings.ice, session.id, dependencies.clock.nowMs()),
    status: state.status,
    termination_reason: state.terminationReason,
    duration_sec: sessionDurationSec(state),
    created_at: new Date(state.createdAtMs).toISOString(),
    session_acls: [],
    padding_left: request.padding_left,
    padding_top: request.padding_top,
    padding_height: request.padding_height,
    extra_data: request.extra_data ?? null,
    capability: request.capability.map((name) => ({ name, description: capabilityDescriptions[name] })),
    document: request.document ?? null,
  };
}
