import { purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

type TokenSettings = Pick<Settings, "relayToken" | "secret" | "dataFolder">;

/** The relay token that a service of these settings takes: set, made from the shared secret, or kept in the data folder. */
export function ownRelayToken(settings: TokenSettings): string {
  return settings.relayToken ?? purposeSecret(settings, "relay");
}

/** The relay token that a relay in another process shows; undefined where it shares none with the service. */
export function sharedRelayToken(settings: TokenSettings): string | undefined {
  return settings.relayToken ?? (settings.secret && purposeSecret(settings, "relay"));
}
