import type { CapabilityName } from "../../../protocol/catalogue.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import {
  type SessionCreate,
  type SessionCreated,
  sessionCreateSchema,
} from "../../../protocol/session/session.ts";
import { randomBytes } from "node:crypto";
import { defaultPaddings } from "../../../protocol/settings/stage-settings.ts";
import { availableCatalogue, type Engines } from "../../engines/available-catalogue.ts";
import { Fault } from "../../faults/fault.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { ContextRecord, QuotaReason, SessionRecord, SessionRequest } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { languageFaults } from "../answers/session-language-rules.ts";
import { monthOf, sessionDeadlineMs, type SessionState } from "./session-machine.ts";
import { referenceFaults } from "./session-references.ts";
import { createdView } from "./session-view.ts";
import { validPart } from "../../contexts/valid-part.ts";

type RequiredField = "prompt" | "llm_type" | "model_style" | "tts_type" | "stt_type";

/** Fields required for each capability (interface specification, What the service does). */
const requiredFields: Record<CapabilityName, readonly RequiredField[]> = {
  STF_WEBRTC: ["prompt", "llm_type", "model_style", "tts_type"],
  STF_ONPREMISE: ["model_style"],
  LLM: ["prompt", "llm_type"],
  TTS: ["tts_type"],
  STT: ["stt_type"],
};

/** The capabilities of a create request without duplicates; STF_WEBRTC if it names none (rule 2). */
function requestedCapabilities(request: SessionCreate): CapabilityName[] {
  return [...new Set(request.capability ?? ["STF_WEBRTC" as const])];
}

/** Errors for the rules that span several fields of a create request (interface specification, Rules for session creation). */
function capabilityFaults(request: SessionCreate): WireError[] {
  const capabilities = requestedCapabilities(request);
  const faults: WireError[] = [];
  if (capabilities.includes("STF_WEBRTC") && capabilities.includes("STF_ONPREMISE"))
    faults.push({
      code: "invalid",
      detail: "STF_WEBRTC and STF_ONPREMISE must not be used together.",
      attr: "capability",
    });
  const agent = request.interactive_agent_config !== undefined;
  if (agent && (request.llm_type !== undefined || request.prompt !== undefined))
    faults.push({
      code: "invalid",
      detail: "interactive_agent_config must not be combined with llm_type or prompt.",
      attr: "interactive_agent_config",
    });
  // An interactive agent replaces the prompt and the language model, so these fields are not required with it.
  const replaced: readonly RequiredField[] = agent ? ["prompt", "llm_type"] : [];
  const required = new Set(capabilities.flatMap((capability) => requiredFields[capability]));
  for (const field of required)
    if (request[field] === undefined && !replaced.includes(field)) {
      const asking = capabilities.filter((capability) => requiredFields[capability].includes(field));
      const detail = `This field is required for ${asking.join(", ")}.`;
      faults.push({ code: "required", detail, attr: field });
    }
  return faults;
}

/** 160 random bits, because the id alone gives access to the session-scoped operations. */
const sessionIdBytes = 20;

/** The format of session ids. A text in any other format is not an id. */
export const sessionIdPattern = /^[0-9a-f]{40}$/;

/** The public embed key that the caller put into `extra_data.context_id`, if any. */
function namedContext(extraData: unknown): string | null {
  if (typeof extraData !== "object" || extraData === null || !("context_id" in extraData)) return null;
  return typeof extraData.context_id === "string" ? extraData.context_id : null;
}

async function owningContext(
  { store }: Pick<SessionDependencies, "store">,
  organizationId: string,
  request: SessionCreate,
): Promise<ContextRecord | null> {
  const contextId = namedContext(request.extra_data);
  return contextId === null ? null : store.contexts.byContextId(organizationId, contextId);
}

function contextFaults(context: ContextRecord | null): WireError[] {
  if (context === null || context.is_active) return [];
  return [{ code: "invalid", detail: "This embed context is not active.", attr: "extra_data.context_id" }];
}

/** The fields that the rules for capabilities begin with. */
const rulingFields = ["capability", "interactive_agent_config"] as const;

/**
 * What `createSession` would say of fields that their schema refuses, as far as they can be read: one entry for each field that breaks a
 * rule or names something that does not exist.
 */
export async function furtherCreateFaults(
  dependencies: Pick<SessionDependencies, "store"> & Engines,
  organizationId: string,
  fields: Record<string, unknown>,
): Promise<WireError[]> {
  const readable = validPart(sessionCreateSchema, fields) ?? {};
  const context = await owningContext(dependencies, organizationId, readable);
  const rulesHold = rulingFields.every(
    (field) => fields[field] === undefined || readable[field] !== undefined,
  );
  return [
    ...(rulesHold ? capabilityFaults(readable) : []),
    ...(await namingFaults(dependencies, organizationId, readable, context)),
  ];
}

/** Errors of what a request names. */
async function namingFaults(
  dependencies: Pick<SessionDependencies, "store"> & Engines,
  organizationId: string,
  asked: SessionCreate,
  context: ContextRecord | null,
): Promise<WireError[]> {
  const { store } = dependencies;
  const request = withDefaults(asked);
  const nameable = { ...store, catalogue: availableCatalogue(store.catalogue, dependencies) };
  return [
    ...(await referenceFaults(nameable, organizationId, request)),
    ...(await languageFaults(nameable, organizationId, request)),
    ...contextFaults(context),
  ];
}

function withDefaults({ sessiontemplate_id: _template, ...request }: SessionCreate): SessionRequest {
  return {
    ...request,
    capability: requestedCapabilities(request),
    padding_left: request.padding_left ?? defaultPaddings.padding_left,
    padding_top: request.padding_top ?? defaultPaddings.padding_top,
    padding_height: request.padding_height ?? defaultPaddings.padding_height,
  };
}

function newState(nowMs: number, maxSessionSec: number): SessionState {
  return {
    status: "CREATED",
    terminationReason: null,
    createdAtMs: nowMs,
    inProgressAtMs: null,
    lastSeenAtMs: nowMs,
    peerClosedAtMs: null,
    leavingAtMs: null,
    holdsPlace: true,
    endedAtMs: null,
    maxSessionSec,
    boughtMin: 0,
  };
}

/** The shorter of the limits of the organization and the embed context; 0 if neither sets one. */
async function longestSec(
  { store }: Pick<SessionDependencies, "store">,
  organizationId: string,
  context: ContextRecord | null,
): Promise<number> {
  const minutes = (await store.organizations.quotas(organizationId))?.minutesPerSession ?? null;
  const ofContext = context?.max_session_sec ?? 0;
  if (minutes === null) return ofContext;
  // A quota of 0 minutes must not become 0, which means no limit. So it allows one second.
  const ofOrganization = Math.max(1, minutes * 60);
  return ofContext === 0 ? ofOrganization : Math.min(ofContext, ofOrganization);
}

/**
 * Notes that a session was created from a template: its body is the template's response, with or without changes. Never rejects,
 * because the session exists already.
 */
async function noteTemplate(
  { store, log }: Pick<SessionDependencies, "store" | "log">,
  organizationId: string,
  { sessiontemplate_id: template }: SessionCreate,
  nowMs: number,
): Promise<void> {
  if (typeof template !== "string" || template === "") return;
  const last_used_at = new Date(nowMs).toISOString();
  await store.catalogue
    .revise("session_template", organizationId, template, (body) => ({ ...body, last_used_at }))
    .catch((error: unknown) => log.warn("the use of a template was not noted", { error: String(error) }));
}

/** A session that ended at once, because a quota had no place for it. */
function refused(session: SessionRecord, reason: QuotaReason): SessionRecord {
  const { createdAtMs } = session.state;
  const end = {
    status: "TERMINATED",
    terminationReason: reason,
    endedAtMs: createdAtMs,
    holdsPlace: false,
  } as const;
  return { ...session, state: { ...session.state, ...end }, deadlineAtMs: null };
}

/**
 * Creates a session for an organization. Throws a Fault with one entry for each field that breaks a rule or names something that
 * does not exist (interface specification, Rules for session creation), or a Fault for the quota that has no place left. In the
 * second case the session is stored as ended with that reason, so the operator can see the refusal.
 */
export async function createSession(
  dependencies: Pick<SessionDependencies, "store" | "clock" | "log" | "metrics" | "settings"> & Engines,
  organizationId: string,
  asked: SessionCreate,
): Promise<SessionCreated> {
  const { store, clock, log, metrics, settings } = dependencies;
  const request = withDefaults(asked);
  const context = await owningContext(dependencies, organizationId, asked);
  const faults = [
    ...capabilityFaults(asked),
    ...(await namingFaults(dependencies, organizationId, asked, context)),
  ];
  if (faults.length > 0) throw Fault.validation(faults);
  const state = newState(clock.nowMs(), await longestSec(dependencies, organizationId, context));
  const session: SessionRecord = {
    id: randomBytes(sessionIdBytes).toString("hex"),
    organizationId,
    contextUuid: context?.id ?? null,
    revision: 0,
    state,
    deadlineAtMs: sessionDeadlineMs(state, settings),
  };
  const detail = { request, clientSdp: null, serverSdp: null };
  const month = monthOf(state.createdAtMs);
  const reason = await store.sessions.insert(session, detail, month);
  log.info(reason === null ? "session created" : "session refused", {
    session: sessionReference(session.id),
    capability: request.capability.join(","),
    context: context?.contextId ?? null,
    ...(reason !== null && { reason }),
  });
  if (reason === null) {
    metrics.sessionCreated();
    await noteTemplate(dependencies, organizationId, asked, state.createdAtMs);
    return createdView(session, request);
  }
  metrics.sessionRefused(reason);
  await store.sessions.insert(refused(session, reason), detail, month);
  throw Fault.quota(reason, session.id);
}
