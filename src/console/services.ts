import type { ApiClient } from "./api/api-client.ts";
import type { Router } from "./router.ts";
import type { SessionKeeper } from "./session.ts";
import type { Badges } from "./shell/badges.ts";
import type { Toasts } from "./toasts.ts";

/** What every page works with. */
export interface Services {
  readonly api: ApiClient;
  readonly session: SessionKeeper;
  readonly router: Router;
  readonly toasts: Toasts;
  readonly badges: Badges;
  /** Whether the console has a page at this path. */
  readonly hasPage: (path: string) => boolean;
}
