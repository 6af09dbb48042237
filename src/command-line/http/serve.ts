import type { Logger } from "../../logging/logger.ts";
import type { ClientAddress } from "./client-address.ts";
import { type Fetch, type HttpServer, listen } from "./http-server.ts";
import { blockFloods, RefusalGuard } from "./refusal-guard.ts";
import type { Settings } from "../settings/settings.ts";

/** The request handler, and how it finds client addresses. */
interface Answering {
  fetch: Fetch;
  clientAddress: ClientAddress;
  /** How many refusals one address may get in 10 s if no setting overrides it. */
  refusals: number;
}

/** How the parts that answer requests are stopped. */
export interface Stopping {
  /** Ends the clients' sessions while requests are still answered. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** The process ends at most this long after the signal, in ms. */
const endWithinMs = 9_500;

/** Starts the server, with a block on addresses whose requests are refused too often. */
function listenGuarded(
  { port, refusalsPerAddress, rateLimits }: Settings,
  { fetch, clientAddress, refusals }: Answering,
  log: Logger,
): Promise<HttpServer> {
  const limit = refusalsPerAddress ?? refusals;
  const { reads } = rateLimits.address;
  if (!Number.isFinite(limit)) return listen(fetch, port, undefined, undefined, reads);
  const guard = new RefusalGuard({ limit, log });
  const isBlocked = (address: string): boolean => guard.isBlocked(address);
  return listen(blockFloods(fetch, guard, clientAddress), port, undefined, isBlocked, reads);
}

/** Serves until SIGTERM or SIGINT; then drains, stops and ends the process, within 10 s. Rejects when the port is in use. */
export async function serveUntilStopped(
  settings: Settings,
  log: Logger,
  answering: Answering,
  { drain, stop }: Stopping,
): Promise<void> {
  const server = await listenGuarded(settings, answering, log);
  const end = (): void => {
    setTimeout(() => process.exit(1), endWithinMs).unref();
    void drain()
      .catch((error: unknown) => log.error("draining failed", { error: String(error) }))
      .then(() => Promise.all([server.close(1_500), stop()]))
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}
