import type { PublicContext } from "../protocol/relay-api.ts";
import type { AvatarSessionOptions } from "./avatar-session.ts";
import { fetchContext as fetchNow } from "./context-request.ts";

/** The requests that have not failed, by whose they are. */
const requests = new WeakMap<AvatarSessionOptions, Promise<PublicContext>>();

/**
 * Takes the place of `context-request.ts` in the widget for conversations in writing: a session that is loaded later takes the context
 * that was fetched for it.
 */
export function fetchContext(options: AvatarSessionOptions): Promise<PublicContext> {
  const known = requests.get(options);
  if (known) return known;
  const request = fetchNow(options);
  requests.set(options, request);
  request.catch(() => requests.delete(options));
  return request;
}
