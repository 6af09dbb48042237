export { BodyBudget, defaultBodyLimits, type BodyLease, type BodyLimits } from "./limits/body-budget.ts";
export { createRelay, type Relay } from "./relay.ts";
export {
  defaultRelayLimits,
  type ContextSource,
  type RelayAsset,
  type RelayAssets,
  type RelayClock,
  type RelayDeps,
  type RelayLimits,
  type RelayLog,
  type ServiceCall,
} from "./relay-deps.ts";
export type { Counter, CounterWindow } from "../protocol/counter.ts";
export { MemoryCounter } from "./limits/memory-counter.ts";
export { mappedContexts, serviceContexts } from "./contexts/context-directory.ts";
export {
  serviceInProcess,
  serviceOverHttp,
  type RequestAnswerer,
  type ServiceInProcessOptions,
  type ServiceOverHttpOptions,
} from "./service/service-over-http.ts";
