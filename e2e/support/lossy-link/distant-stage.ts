import { chromium, type Browser, type LaunchOptions } from "@playwright/test";
import type { Drawer } from "../../../src/protocol/settings/drawing-settings.ts";
import config from "../../playwright.config.ts";
import { hostPage, startHostSite, type HostSite } from "../host-page.ts";
import { changeContext } from "../service-api.ts";
import { startServer, type Server } from "../stack.ts";
import { snippet } from "../widget.ts";
import { openLossyLink, type LinkQuality, type LossyLink } from "./lossy-link.ts";
import { freePort } from "../../../test/free-port.ts";

/** A server, a page with the snippet, and a browser that can reach both only through a link. */
export interface DistantStage {
  readonly link: LossyLink;
  readonly server: Server;
  /** The relay's address as the visitor reaches it. */
  readonly relayOrigin: string;
  readonly site: HostSite;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts a browser behind the link; pages of the given origins count as secure, as they would by https. */
export async function launchBehind(
  link: LossyLink,
  origins: readonly string[],
  args: readonly string[] = [],
): Promise<Browser> {
  const options: LaunchOptions = config.use?.launchOptions ?? {};
  return chromium.launch({
    ...options,
    executablePath: link.browser(options.executablePath ?? chromium.executablePath()),
    args: [
      ...(options.args ?? []),
      `--unsafely-treat-insecure-origin-as-secure=${origins.join(",")}`,
      ...args,
    ],
  });
}

/**
 * Opens the stage, with an avatar that the service draws, or whoever is wanted; null: as the context says. `npm run build` must have run,
 * and `linkProblem` must be null.
 */
export async function openDistantStage(
  quality: LinkQuality = {},
  env: (link: LossyLink) => Promise<Record<string, string>> = () => Promise.resolve({}),
  drawer: Drawer | null = "remote",
): Promise<DistantStage> {
  const stops: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const link = await openLossyLink(quality);
    stops.push(() => link.close());
    const port = String(await freePort());
    const relayOrigin = `http://${link.hostAddress}:${port}`;
    const ownEnv = { PORT: port, VISAVIS_PUBLIC_URL: relayOrigin };
    const server = await startServer("start", { ...ownEnv, ...(await env(link)) });
    stops.push(() => server.stop());
    const site = await startHostSite(
      { "/": hostPage(snippet(relayOrigin, "ctx_demo", "", drawer)) },
      { relayOrigin, host: link.hostAddress },
    );
    stops.push(() => site.close());
    await changeContext({ server, context: "ctx_demo" }, (context) => {
      context.embed_config["allowed_origins"] = [site.origin];
    });
    const browser = await launchBehind(link, [site.origin, relayOrigin]);
    stops.push(() => browser.close());
    return { link, server, relayOrigin, site, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}
