import { randomUUID } from "node:crypto";
import { defaultQuotas } from "../store/entities/quotas.ts";
import type { OrganizationRecord, Quotas, Store, Usage } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";
import { checkedName } from "./checked-name.ts";

type OrganizationStore = Pick<Store, "organizations">;

/** The largest value of a quota. */
export const quotaMax = 2_147_483_647;

/** The quotas of an organization (null: no limit), and its current use. */
interface OrganizationUse {
  id: string;
  name: string;
  quotas: Quotas | null;
  /** `month`: the month of the used minutes, such as `2026-01` (UTC). */
  used: Usage & { month: string };
}

/** Creates an organization with the default quotas. Throws AdministrationError `invalid_name` and `name_taken`. */
export async function createOrganization(
  { organizations }: OrganizationStore,
  given: string,
  nowMs: number,
): Promise<OrganizationRecord> {
  const name = checkedName(given);
  if ((await organizations.list()).some((known) => known.name === name))
    throw new AdministrationError(
      "name_taken",
      `There is an organization "${name}" already; set another name.`,
    );
  const organization = { id: randomUUID(), name, createdAtMs: nowMs };
  await organizations.insert(organization, defaultQuotas);
  return organization;
}

/** The quotas of an organization, and its current use. */
export async function organizationUse(
  { organizations }: OrganizationStore,
  { id, name }: Pick<OrganizationRecord, "id" | "name">,
  nowMs: number,
): Promise<OrganizationUse> {
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const quotas = await organizations.quotas(id);
  return { id, name, quotas, used: { ...(await organizations.usage(id, month)), month } };
}

/** Replaces the given quotas; null removes a limit. Throws AdministrationError `invalid_quota` and `not_found`. */
export async function setQuotas(
  { organizations }: OrganizationStore,
  organizationId: string,
  quotas: Partial<Quotas>,
): Promise<void> {
  for (const [quota, value] of Object.entries(quotas))
    if (value !== null && (!Number.isInteger(value) || value < 0 || value > quotaMax))
      throw new AdministrationError(
        "invalid_quota",
        `${quota} is ${value}; set a whole number from 0 to ${quotaMax}, or null.`,
      );
  if (!(await organizations.setQuotas(organizationId, quotas)))
    throw new AdministrationError("not_found", `There is no organization "${organizationId}".`);
}

/**
 * The organization with an id or name; without either, the only organization. Throws AdministrationError `not_found`, and
 * `organization_required` when there are several, because choosing the first would be a guess.
 */
export function chosenOrganization(
  organizations: readonly OrganizationRecord[],
  named: string | undefined,
): OrganizationRecord {
  const [first] = organizations;
  if (first === undefined) throw new AdministrationError("not_found", "The store has no organization.");
  if (named === undefined) {
    if (organizations.length === 1) return first;
    throw new AdministrationError(
      "organization_required",
      `There are ${organizations.length} organizations; name one.`,
    );
  }
  const meant =
    organizations.find(({ id }) => id === named) ?? organizations.find(({ name }) => name === named);
  if (meant) return meant;
  throw new AdministrationError("not_found", `There is no organization "${named}".`);
}

/** Whether an organization is the one that runs the service. */
export async function runsService(
  { organizations }: Pick<Store, "organizations">,
  organizationId: string,
): Promise<boolean> {
  return (await organizations.first())?.id === organizationId;
}

/**
 * Throws AdministrationError `owner_needed` unless this is the organization that runs the service: others may not
 * change the whole installation.
 */
export async function requireFirstOrganization(
  store: Pick<Store, "organizations">,
  organizationId: string,
): Promise<void> {
  if (await runsService(store, organizationId)) return;
  throw new AdministrationError("owner_needed", "Only the organization that runs the service may do this.");
}
