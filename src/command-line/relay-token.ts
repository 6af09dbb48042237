import { purposeSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

type TokenSettings = Pick<Settings, "relayToken" | "secret" | "dataFolder">;

/** The relay token that the service accepts: from the settings, derived from the shared secret, or stored in the data folder. */
export function ownRelayToken(settings: TokenSettings): string {
  return settings.relayToken ?? purposeSecret(settings, "relay");
}

/** The relay token that a relay in another process sends; undefined if it shares none with the service. */
export function sharedRelayToken(settings: TokenSettings): string | undefined {
  return settings.relayToken ?? (settings.secret && purposeSecret(settings, "relay"));
}
