import type { Clock } from "../clock.ts";
import type { Logger } from "../../logging/logger.ts";
import type { Counter } from "../../protocol/counter.ts";
import type { AuditRecord, Store } from "../store/store.ts";
import type { ClientAddress } from "./node-request.ts";
import type { AuditedChange, RecordChange } from "./audited-change.ts";

interface AuditParts {
  store: Pick<Store, "audit" | "apiKeys">;
  clock: Clock;
  log: Logger;
  counter: Counter;
  clientAddress: ClientAddress;
}

const hourMs = 3_600_000;

/** The most entries of strangers in an hour and an organization, so that guessing passwords does not fill the disk. */
export const strangersPerHour = 100;

type Actor = Pick<AuditRecord, "actorKind" | "actorId" | "actorName">;

async function actorOf({ store }: AuditParts, caller: AuditedChange["caller"]): Promise<Actor> {
  if (caller.by === "unknown") return { actorKind: "unknown", actorId: "", actorName: "" };
  if (caller.by === "operator") {
    const { accountId, username } = caller.session;
    return { actorKind: "operator", actorId: accountId, actorName: username };
  }
  const keys = await store.apiKeys.list(caller.organizationId);
  const actorName = keys.find(({ id }) => id === caller.keyId)?.name ?? "";
  return { actorKind: "key", actorId: caller.keyId, actorName };
}

/** Writes changes to the audit log. The change is made already, so a log that cannot be written does not fail the request. */
export function createAudit(parts: AuditParts): RecordChange {
  const { store, clock, log, counter, clientAddress } = parts;
  const isBeyond = async ({ by, organizationId }: AuditedChange["caller"]): Promise<boolean> =>
    by === "unknown" &&
    (await counter.add(`audit-unknown:${organizationId}`, 1, hourMs)).total > strangersPerHour;
  return async (request, environment, { caller, operation, target }) => {
    try {
      if (await isBeyond(caller)) return;
      await store.audit.add({
        organizationId: caller.organizationId,
        atMs: clock.nowMs(),
        ...(await actorOf(parts, caller)),
        address: clientAddress(request, environment),
        operation,
        targetId: target?.id ?? null,
        targetName: target?.name ?? "",
      });
    } catch (error) {
      log.error("a change is missing in the audit log", { route: operation, error: String(error) });
    }
  };
}
