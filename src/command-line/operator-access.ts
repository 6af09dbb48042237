import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashPassword } from "../service/operator-password.ts";
import { keptSecret, newPassword, purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** How the operator gets into the console. */
export interface OperatorAccess {
  passwordHash: string;
  /** Signs console sessions and links to files. */
  signingSecret: string;
  /** The password, where it was made just now; it is kept nowhere. */
  newPassword: string | null;
}

/**
 * The operator's password from the settings, else the one made at the first start, of which the data folder keeps only the
 * hash (`operator-password`; without that file a new one is made).
 */
export async function operatorAccess({
  dataFolder,
  password,
  secret,
}: Pick<Settings, "dataFolder" | "password"> & Partial<Pick<Settings, "secret">>): Promise<OperatorAccess> {
  const signingSecret = purposeSecret({ secret, dataFolder }, "service");
  // A salt of this installation's own, the same at every start, so that sessions outlive a restart.
  if (password !== undefined)
    return {
      passwordHash: await hashPassword(password, signingSecret),
      signingSecret,
      newPassword: null,
    };
  const file = "operator-password";
  const made = existsSync(join(dataFolder, file)) ? null : newPassword();
  const madeHash = made === null ? "" : await hashPassword(made);
  const { value: passwordHash, isNew } = keptSecret(dataFolder, file, () => madeHash);
  return { passwordHash, signingSecret, newPassword: isNew ? made : null };
}
