import { test } from "@playwright/test";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { hostPage, startHostSite, type HostSite } from "./host-page.ts";
import { startServer, type Server } from "./stack.ts";
import { snippet } from "./widget.ts";

/** A server, and a site of another origin whose pages embed its avatar. */
export interface ServedSite {
  readonly server: Server;
  readonly site: HostSite;
}

/** The same, with a proxy between them that can break chosen requests. */
export interface ProxiedSite extends ServedSite {
  readonly proxy: FaultProxy;
}

interface SiteOptions {
  /** Environment of the server. */
  env?: Record<string, string>;
  /** Pages by path. Default: `/` with the demo context's snippet. */
  pages?: (relayOrigin: string) => Record<string, string>;
  /** The site's own scripts by path. */
  scripts?: Record<string, string>;
}

const demoPage = (relayOrigin: string): Record<string, string> => ({ "/": hostPage(snippet(relayOrigin)) });

/** Starts server and site before a file's tests and stops them afterwards. The fields can be read inside tests. */
export function useSite({ env = {}, pages = demoPage, scripts = {} }: SiteOptions = {}): ServedSite {
  const served = {} as { server: Server; site: HostSite };
  test.beforeAll(async () => {
    served.server = await startServer("start", env);
    const relayOrigin = served.server.origin;
    served.site = await startHostSite(pages(relayOrigin), { relayOrigin, scripts });
  });
  test.afterAll(async () => {
    await served.site.close();
    await served.server.stop();
  });
  return served;
}

/** Like `useSite`, with a proxy in front of the server. Each test starts with a proxy that passes everything on. */
export function useProxiedSite({ env = {}, pages = demoPage, scripts = {} }: SiteOptions = {}): ProxiedSite {
  const served = {} as { server: Server; site: HostSite; proxy: FaultProxy };
  test.beforeAll(async () => {
    served.server = await startServer("start", env);
    served.proxy = await startFaultProxy(served.server.origin);
    const relayOrigin = served.proxy.origin;
    served.site = await startHostSite(pages(relayOrigin), { relayOrigin, scripts });
  });
  test.beforeEach(() => {
    served.proxy.rule = null;
    served.proxy.requests.length = 0;
  });
  test.afterAll(async () => {
    await served.site.close();
    await served.proxy.close();
    await served.server.stop();
  });
  return served;
}
