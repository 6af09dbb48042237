import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/free-port.ts";
import { hostPage, startHostSite } from "./host-page.ts";
import { canaryKey, startServer, type Server } from "./stack.ts";
import { snippet, withPicture } from "./widget.ts";

/** Relay and service in separate processes. Each keeps its port and its folder when it is restarted. */
export interface TwoServers {
  service: Server;
  relay: Server;
  siteOrigin: string;
  startService(): Promise<void>;
  startRelay(): Promise<void>;
  /** Starts what a test has stopped. */
  startBoth(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both, and a site whose pages embed the demo avatar. */
export async function startTwoServers(env: Record<string, string> = {}): Promise<TwoServers> {
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "visavis-restart-")));
  const serviceEnv = { PORT: String(await freePort()), VISAVIS_DATA: folders[0]!, ...env };
  const service = await startServer("service", serviceEnv);
  const relayEnv = {
    ...{ PORT: String(await freePort()), VISAVIS_DATA: folders[1]! },
    ...{ SERVICE_BASE_URL: service.origin, SERVICE_API_KEY: canaryKey },
  };
  const relay = await startServer("relay", relayEnv);
  const site = await startHostSite(
    {
      "/": hostPage(snippet(relay.origin, "ctx_demo")),
      "/picture": hostPage(snippet(relay.origin, "ctx_demo", withPicture)),
    },
    { relayOrigin: relay.origin },
  );
  const servers: TwoServers = {
    service,
    relay,
    siteOrigin: site.origin,
    startService: async () => void (servers.service = await startServer("service", serviceEnv)),
    startRelay: async () => void (servers.relay = await startServer("relay", relayEnv)),
    startBoth: async () => {
      if (!servers.service.isRunning()) await servers.startService();
      if (!servers.relay.isRunning()) await servers.startRelay();
    },
    stop: async () => {
      await site.close();
      await Promise.all([servers.relay.stop(), servers.service.stop()]);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
  return servers;
}
