import type { Clock } from "../clock.ts";
import type { Logger } from "../../logging/logger.ts";
import type { AuditRecord, Store } from "../store/store.ts";
import type { ClientAddress } from "./client-address.ts";
import type { RecordChange } from "./audited-change.ts";
import type { Caller } from "./identity.ts";

interface AuditParts {
  store: Pick<Store, "audit" | "apiKeys">;
  clock: Clock;
  log: Logger;
  clientAddress: ClientAddress;
}

type Actor = Pick<AuditRecord, "actorKind" | "actorId" | "actorName">;

async function actorOf({ store }: AuditParts, caller: Caller): Promise<Actor> {
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
  const { store, clock, log, clientAddress } = parts;
  return async (request, environment, { caller, operation, target }) => {
    try {
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
