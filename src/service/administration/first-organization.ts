import type { Store } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";

/**
 * Throws AdministrationError `owner_needed` unless this is the organization that runs the service: others may not
 * change the whole installation.
 */
export async function requireFirstOrganization(
  { organizations }: Pick<Store, "organizations">,
  organizationId: string,
): Promise<void> {
  if ((await organizations.first())?.id === organizationId) return;
  throw new AdministrationError("owner_needed", "Only the organization that runs the service may do this.");
}
