import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox, type SecretBox } from "../service/store/secret-box.ts";
import { purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

type SecretSettings = Pick<Settings, "secret" | "oldSecrets" | "dataFolder">;

/** The secret that was stored in the data folder before `VISAVIS_SECRET` was set. */
function keptBefore({ secret, dataFolder }: SecretSettings): string[] {
  const file = join(dataFolder, "store-secret");
  return secret !== undefined && existsSync(file) ? [readFileSync(file, "utf8").trim()] : [];
}

/** Encrypts the store's private settings, and decrypts those from before the secret was changed. */
export function storeSecretBox(settings: SecretSettings): SecretBox {
  const { oldSecrets, dataFolder } = settings;
  const older = oldSecrets.map((secret) => purposeSecret({ secret, dataFolder }, "store"));
  return createSecretBox(purposeSecret(settings, "store"), [...older, ...keptBefore(settings)]);
}
