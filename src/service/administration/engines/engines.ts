import {
  type Engine,
  type EngineKind,
  engineKinds,
  type EnginePut,
  type EngineTest,
} from "../../../protocol/console/engines.ts";
import { type Engines, isListed } from "../../engines/available-catalogue.ts";
import type { Clock } from "../../clock.ts";
import { refusedVariable, variableProblem } from "../../engines/engine-key.ts";
import type { EngineMachine } from "../check-place.ts";
import type { Installation } from "../../installation.ts";
import { checkOutboundAddress } from "../../outbound/outbound-address.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { KeptRow, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { organizationScope, removeCatalogueEntry } from "../catalogue/catalogue-entries.ts";
import { runsService } from "../organizations.ts";
import { putCatalogueEntry } from "../catalogue/catalogue-put.ts";
import { tryEntry } from "../trials/entry-trial.ts";
import {
  changedSettings,
  checkKeptHeader,
  type EngineEntryKind,
  type EngineRecord,
  entryKinds,
  recordKey,
} from "./engine-record.ts";
import { engineView } from "./engine-view.ts";

/** The dependencies of the operations on engines. */
export interface EngineParts {
  store: Store;
  clock: Clock;
  engines: Engines;
  installation: Installation;
  record: EngineRecord;
}

function stateOf(
  parts: EngineParts,
  kind: EngineEntryKind,
  row: KeptRow<EngineEntryKind>,
): Pick<Engine, "state" | "reason" | "since"> {
  const { installation, record } = parts;
  const variable = row.engine?.["api_key_env"];
  if (!isListed(parts.engines, kind, row)) {
    const { environment } = installation.machine;
    const keyProblem = typeof variable === "string" ? variableProblem(variable, environment) : null;
    const reason =
      keyProblem ?? "Something that it needs is missing: its key, its program or the files of its model.";
    return { state: "unavailable", reason, since: null };
  }
  const key = recordKey(kind, row.id);
  const calls = record.stateOf(key);
  const test = record.lastTest(key);
  const since = calls?.sinceMs ?? null;
  if (calls?.isFailing)
    return {
      state: "failing",
      reason: calls.reason ?? "Its last calls failed.",
      since: since === null ? null : new Date(since).toISOString(),
    };
  if (test?.outcome === "failed") return { state: "failing", reason: test.detail, since: test.at };
  return { state: calls !== null || test !== null ? "working" : "ready", reason: null, since: null };
}

/** The engines of an organization, by kind and in the order in which they were added. */
export async function listEngines(parts: EngineParts, organizationId: string): Promise<Engine[]> {
  const { store, installation, record } = parts;
  const { isOnly } = await organizationScope(parts.store, organizationId);
  const contexts = await store.contexts.list(organizationId);
  const found: Engine[] = [];
  for (const kind of engineKinds) {
    const entryKind: EngineEntryKind = entryKinds[kind];
    for (const row of await store.catalogue.rows(entryKind, organizationId))
      found.push(
        engineView(kind, row, {
          contexts,
          environment: installation.machine.environment,
          canChange: !row.isShared || isOnly,
          state: stateOf(parts, entryKind, row),
          lastTest: record.lastTest(recordKey(entryKind, row.id)),
        }),
      );
  }
  return found;
}

async function engineOf(
  parts: EngineParts,
  organizationId: string,
  kind: EngineKind,
  id: string,
): Promise<Engine> {
  const engine = (await listEngines(parts, organizationId)).find((one) => one.kind === kind && one.id === id);
  if (!engine) throw new AdministrationError("not_found", `There is no ${kind} "${id}".`);
  return engine;
}

/** Somebody else has saved an engine since it was read. */
export class EngineConflict extends Error {
  override readonly name = "EngineConflict";
  /** The engine as it is now. */
  readonly current: Engine;

  constructor(current: Engine) {
    super("Somebody else saved this engine meanwhile; look at their changes, then save again.");
    this.current = current;
  }
}

/**
 * What an organization may use of the machine for its engines: variables on the operator's list, and private networks, only if it runs
 * the service. Throws AdministrationError `engine_refused` and a Fault.
 */
async function allowedMachine(
  { store, installation: { machine } }: EngineParts,
  organizationId: string,
  { fields: { engine }, key }: EnginePut,
): Promise<EngineMachine> {
  const refuse = (message: string, field: string): never => {
    throw new AdministrationError("engine_refused", message, { field });
  };
  const isFirst = await runsService(store, organizationId);
  const variable = key !== undefined && "variable" in key ? key.variable : null;
  const problem = variable === null ? null : refusedVariable(variable, machine.environment);
  if (variable !== null && !isFirst)
    refuse("Variables of the server are for the organization that runs it; store the key instead.", "key");
  if (problem !== null) refuse(problem, "key");
  if (isFirst) return machine;
  const { allow_private: isPrivate, base_url: address } = isPlainObject(engine) ? engine : {};
  if (isPrivate === true)
    refuse("Private networks are for the organization that runs the server.", "fields.engine.allow_private");
  if (typeof address === "string")
    checkOutboundAddress({
      ...{ field: "fields.engine.base_url", address, isTrusted: false },
      remedy: "ask whoever runs the server",
    });
  return { ...machine, allowPrivateAddresses: false };
}

/**
 * Adds or changes an engine. Throws a Fault that names each wrong field, EngineConflict, and AdministrationError `engine_refused`,
 * `shared_entry` and, where an engine of that revision was removed, `not_found`.
 */
export async function putEngine(
  parts: EngineParts,
  organizationId: string,
  { kind, id }: { kind: EngineKind; id: string },
  wanted: EnginePut,
): Promise<Engine> {
  const { store, clock, record } = parts;
  const {
    fields: { engine: given, ...fields },
    key,
    revision,
  } = wanted;
  const scope = await organizationScope(parts.store, organizationId);
  const entryKind: EngineEntryKind = entryKinds[kind];
  const machine = await allowedMachine(parts, organizationId, wanted);
  const known = await store.catalogue.row(entryKind, organizationId, id);
  if (revision !== undefined && revision !== (known?.revision ?? 0))
    throw new EngineConflict(await engineOf(parts, organizationId, kind, known?.id ?? id));
  const isServer = entryKind === "mcp_server";
  if (isServer) checkKeptHeader(known?.body, fields["url"], key);
  const header = isServer && key !== undefined ? { auth_header: "value" in key ? key.value : null } : {};
  const engine = changedSettings(known?.engine ?? null, given, isServer ? undefined : key);
  const named = { name: known?.name ?? id, ...(known && { ...known.body }), ...fields, ...header };
  const put = await putCatalogueEntry({ ...scope, machine, nowMs: clock.nowMs(), revision }, entryKind, {
    ...named,
    ...(engine && { engine }),
  }).catch(async (error: unknown) => {
    // Between the reading above and the writing.
    if (!(error instanceof AdministrationError) || error.code !== "entry_changed") throw error;
    throw new EngineConflict(await engineOf(parts, organizationId, kind, id));
  });
  record.forget(recordKey(entryKind, put.id));
  return engineOf(parts, organizationId, kind, put.id);
}

/** Removes an engine. Throws AdministrationError `not_found`, `shared_entry`, and `engine_used` while an avatar uses it. */
export async function removeEngine(
  parts: EngineParts,
  organizationId: string,
  kind: EngineKind,
  id: string,
): Promise<void> {
  const { used_by: users } = await engineOf(parts, organizationId, kind, id);
  if (users.length > 0)
    throw new AdministrationError(
      "engine_used",
      `${users.map(({ name }) => name).join(", ")} use it; choose another engine for them first.`,
    );
  await removeCatalogueEntry(await organizationScope(parts.store, organizationId), entryKinds[kind], id);
  parts.record.forget(recordKey(entryKinds[kind], id));
}

/** Tests an engine with a real call. Throws AdministrationError `not_found`. */
export async function testEngine(
  parts: EngineParts,
  organizationId: string,
  kind: EngineKind,
  id: string,
): Promise<EngineTest> {
  const { store, clock, installation, record } = parts;
  const entryKind: EngineEntryKind = entryKinds[kind];
  const row = await store.catalogue.row(entryKind, organizationId, id);
  if (row === null) throw new AdministrationError("not_found", `There is no ${kind} "${id}".`);
  const startedMs = performance.now();
  const trial = await tryEntry(installation.trialEngines(), entryKind, row);
  const test: EngineTest = {
    outcome: trial?.outcome ?? "ok",
    detail: trial?.detail ?? "It calls nothing.",
    remedy: trial?.remedy ?? null,
    first_ms: trial?.firstMs ?? (trial?.outcome === "ok" ? Math.round(performance.now() - startedMs) : null),
    said: trial?.said ?? null,
    at: new Date(clock.nowMs()).toISOString(),
  };
  const recorded = recordKey(entryKind, row.id);
  record.noteTest(recorded, test);
  if (test.outcome === "ok") record.note(recorded, true, clock.nowMs());
  return test;
}
