import { createGuardedFetch, type GuardedFetch } from "./guarded-fetch.ts";
import type { Resolve } from "./outbound-address.ts";

/** Whose address is called. */
export interface AddressOwner {
  /** Whether the address is the operator's: of an entry that all organizations have, or of the organization that runs the service. */
  isOperators: boolean;
}

/**
 * The only way out of the service: each call to an address that somebody typed. An address of an organization that does not run the
 * service never leads into a private network, whatever is configured.
 */
export interface OutboundCalls {
  /**
   * For language models, voices, recognizers, and for what the operator's entry trusts (`allow_private`). The operator's may be called
   * over http and in private networks. Redirects are not followed, so that no engine can send a call on into the network.
   */
  engine(owner: AddressOwner): GuardedFetch;
  /**
   * For hooks, tool servers, agents, pictures and websites. The operator's may be called over http and in private networks if
   * `allowPrivate` says so.
   */
  address(owner: AddressOwner): GuardedFetch;
  /** For webhooks: as `address`, but redirects are not followed, so that what is told arrives where the owner said or nowhere. */
  webhook(owner: AddressOwner): GuardedFetch;
}

/** Options of outbound calls. */
export interface OutboundOptions {
  /** Whether `address` allows http and private networks for the operator. */
  allowPrivate: boolean;
  /** How host names are resolved. Default: the system's resolver. */
  resolve?: Resolve;
}

/** The policy of each kind of call. */
export function createOutboundCalls({ allowPrivate, ...rest }: OutboundOptions): OutboundCalls {
  const operatorsEngine = createGuardedFetch({ ...rest, allowPrivate: true, maxRedirects: 0 });
  const operatorsAddress = createGuardedFetch({ ...rest, allowPrivate });
  const operatorsWebhook = createGuardedFetch({ ...rest, allowPrivate, maxRedirects: 0 });
  const othersEngine = createGuardedFetch({ ...rest, maxRedirects: 0 });
  const othersAddress = createGuardedFetch(rest);
  const othersWebhook = createGuardedFetch({ ...rest, maxRedirects: 0 });
  return {
    engine: ({ isOperators }) => (isOperators ? operatorsEngine : othersEngine),
    address: ({ isOperators }) => (isOperators ? operatorsAddress : othersAddress),
    webhook: ({ isOperators }) => (isOperators ? operatorsWebhook : othersWebhook),
  };
}
