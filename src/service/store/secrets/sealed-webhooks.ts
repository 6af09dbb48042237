import type { Kysely } from "kysely";
import { storedJson } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";
import type { WebhookRecord } from "../entities/webhooks/webhook-store.ts";
import { isSealed, type SecretBox, SecretBoxError, type SecretContext } from "./secret-box.ts";

/** What of a webhook is secret: many receivers have a key in their address. */
type Target = Pick<WebhookRecord, "address" | "secret">;
type Owner = Pick<WebhookRecord, "id" | "organizationId">;

const contextOf = ({ id, organizationId }: Owner): SecretContext => ["webhook", id, organizationId];

/** Encrypts and decrypts where webhooks are sent, and what signs them. */
export interface WebhookSeal {
  write(target: Target, owner: Owner): string;
  read(text: string, owner: Owner): Target;
}

/** Without a box nothing is encrypted. */
export function webhookSeal(box: SecretBox | undefined): WebhookSeal {
  return {
    write(target, owner) {
      const text = JSON.stringify({ address: target.address, secret: target.secret });
      return box ? box.seal(text, contextOf(owner)) : text;
    },
    read(text, owner) {
      if (!box && isSealed(text)) throw SecretBoxError.wrongSecret();
      return storedJson<Target>(box ? box.open(text, contextOf(owner)) : text);
    },
  };
}

/** Encrypts those that are not encrypted with the box's secret; resolves with how many. */
export async function sealWebhooks(database: Kysely<Tables>, box: SecretBox): Promise<number> {
  const seal = webhookSeal(box);
  const rows = await database.selectFrom("webhook").select(["id", "organization_id", "target"]).execute();
  const open = rows.filter(({ target }) => !box.isCurrent(target));
  for (const { id, organization_id: organizationId, target } of open) {
    const owner = { id, organizationId };
    await database
      .updateTable("webhook")
      .set({ target: seal.write(seal.read(target, owner), owner) })
      .where("id", "=", id)
      .execute();
  }
  return open.length;
}
