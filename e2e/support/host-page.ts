import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A page of another origin that embeds the avatar, with the strict policy that the product promises to work under. */
export interface HostSite {
  origin: string;
  close(): Promise<void>;
}

/** The HTML of a host page around the given markup. Its background has a colour that no avatar has. */
export function hostPage(markup: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
<link rel="stylesheet" href="/host.css"></head><body><main><h1>A page of its own</h1>${markup}</main></body></html>`;
}

const styles: Record<string, string> = {
  "/host.css": "html,body{margin:0;height:100%;background:rgb(255,0,255);font-family:sans-serif}",
  "/quiet.css":
    "html{color-scheme:light dark}body{margin:24px;font-family:sans-serif;background:light-dark(#f2eee7,#0d0c0b)}",
};

/** How a host site is served. */
interface HostOptions {
  /** The only other origin that the content security policy allows. */
  relayOrigin: string;
  host?: string;
  /** Another policy, or false for none. Default: the strict one. */
  policy?: boolean | string;
  /** Trusted Types policies that the strict one allows. Default: none. */
  trustedTypes?: string;
  scripts?: Record<string, string>;
}

/** Serves pages by path. */
export async function startHostSite(pages: Record<string, string>, options: HostOptions): Promise<HostSite> {
  const relay = options.relayOrigin;
  const policy =
    `default-src 'self'; script-src 'self' ${relay}; style-src 'self' ${relay}; ` +
    `connect-src 'self' ${relay}; img-src 'self' data: blob: ${relay}; media-src 'self' blob: ${relay}; ` +
    `font-src 'self' ${relay}; frame-src ${relay}; ` +
    `require-trusted-types-for 'script'; trusted-types ${options.trustedTypes ?? "'none'"}`;
  const server: HttpServer = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const sheet = styles[path];
    if (sheet !== undefined) {
      response.setHeader("content-type", "text/css").end(sheet);
      return;
    }
    const script = options.scripts?.[path];
    if (script !== undefined) {
      response.setHeader("content-type", "text/javascript").end(script);
      return;
    }
    const page = pages[path];
    response.statusCode = page === undefined ? 404 : 200;
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (typeof options.policy === "string") response.setHeader("content-security-policy", options.policy);
    else if (options.policy !== false) response.setHeader("content-security-policy", policy);
    response.end(page ?? "not found");
  });
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
