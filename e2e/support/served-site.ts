import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { hostPage, startHostSite, type HostSite } from "./host-page.ts";
import { makeContext, type ChangeContext } from "./service-api.ts";
import { startServer, type Server } from "./stack.ts";
import { test } from "./test.ts";
import { snippet } from "./widget.ts";

/** A server and a context on it that belongs to the tests of one file. */
export interface Served {
  readonly server: Server;
  /** The context's public id. */
  readonly context: string;
}

/** The same, and a site of another origin whose pages embed the context's avatar. */
export interface ServedSite extends Served {
  readonly site: HostSite;
}

/** The same, with a proxy between them that can break chosen requests. */
export interface ProxiedSite extends ServedSite {
  readonly proxy: FaultProxy;
}

/** Environment variables of a server. */
export type Environment = Record<string, string>;

interface ServerOptions {
  /**
   * Environment of a server that only the tests of this file use; `{}` is enough for those that end its processes. Default: the worker's
   * server. A function is called when the server starts.
   */
  env?: Environment | (() => Environment);
  /** Changes the copy of the demo context that the file's tests use. */
  change?: ChangeContext;
}

interface SiteOptions extends ServerOptions {
  /** The snippet's attributes on the default page. */
  attributes?: string;
  /** Pages by path. Default: `/` with the context's snippet. */
  pages?: (relayOrigin: string, context: string) => Record<string, string>;
  /** The site's own scripts by path. */
  scripts?: Record<string, string>;
  /** False: without the strict content security policy, which a library on the site does not allow. */
  policy?: false;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The pages of a site whose tests have said nothing else. */
const onePage =
  (attributes = "") =>
  (relayOrigin: string, context: string): Record<string, string> => ({
    "/": hostPage(snippet(relayOrigin, context, attributes)),
  });

/** Gives the tests of a file a server. The field can be read inside tests. */
export function useServerAlone({ env }: Pick<ServerOptions, "env"> = {}): Pick<Served, "server"> {
  const served = {} as Mutable<Served>;
  if (env === undefined) {
    test.beforeAll(({ sharedServer }) => {
      served.server = sharedServer;
    });
    return served;
  }
  test.beforeAll(async () => {
    served.server = await startServer("start", typeof env === "function" ? env() : env);
  });
  test.afterAll(() => served.server.stop());
  return served;
}

/** The same, and a context of their own. */
export function useServer({ change, ...options }: ServerOptions = {}): Served {
  const served = useServerAlone(options) as Mutable<Served>;
  test.beforeAll(async () => {
    served.context = await makeContext(served.server, change);
  });
  return served;
}

function startSite(
  { context }: Served,
  relayOrigin: string,
  { attributes, pages = onePage(attributes), scripts = {}, policy }: SiteOptions,
): Promise<HostSite> {
  return startHostSite(pages(relayOrigin, context), {
    relayOrigin,
    scripts,
    ...(policy === false && { policy }),
  });
}

/** The same, with a site of another origin. */
export function useSite(options: SiteOptions = {}): ServedSite {
  const served = useServer(options) as Mutable<ServedSite>;
  test.beforeAll(async () => {
    served.site = await startSite(served, served.server.origin, options);
  });
  test.afterAll(() => served.site.close());
  return served;
}

/** Like `useSite`, with a proxy in front of the server. Each test starts with a proxy that passes everything on. */
export function useProxiedSite(options: SiteOptions = {}): ProxiedSite {
  const served = useServer(options) as Mutable<ProxiedSite>;
  test.beforeAll(async () => {
    served.proxy = await startFaultProxy(served.server.origin);
    served.site = await startSite(served, served.proxy.origin, options);
  });
  test.beforeEach(() => {
    served.proxy.rule = null;
    served.proxy.requests.length = 0;
  });
  test.afterAll(async () => {
    await served.site.close();
    await served.proxy.close();
  });
  return served;
}
