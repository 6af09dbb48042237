import { hashPassword, isPassword } from "../service/operator-password.ts";
import { hashedSecret, newPassword, purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** How the operator logs in. */
export interface OperatorAccess {
  passwordHash: string;
  /** Signs console sessions and links to files. */
  signingSecret: string;
  /** The password, if it was created by this installation and has not been printed yet. */
  newPassword: string | null;
  /** To be called when the password was printed. From then on it is stored nowhere. */
  markShown(): void;
}

/**
 * The operator's password from the settings. Else one that is created at the first start; the data folder keeps only its hash
 * (`operator-password`; without that file a new password is created).
 */
export async function operatorAccess({
  dataFolder,
  password,
  secret,
}: Pick<Settings, "dataFolder" | "password"> & Partial<Pick<Settings, "secret">>): Promise<OperatorAccess> {
  const signingSecret = purposeSecret({ secret, dataFolder }, "service");
  // The salt belongs to this installation and is the same at every start, so that sessions survive a restart.
  if (password !== undefined)
    return {
      passwordHash: await hashPassword(password, signingSecret),
      signingSecret,
      newPassword: null,
      markShown: () => undefined,
    };
  const made = await hashedSecret(dataFolder, "operator-password", {
    make: newPassword,
    hash: (given) => hashPassword(given),
    matches: isPassword,
  });
  return { passwordHash: made.hash, signingSecret, newPassword: made.secret, markShown: made.markShown };
}
