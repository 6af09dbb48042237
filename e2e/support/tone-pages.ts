import { test, type Browser, type Page } from "@playwright/test";
import { browserWithMicrophone } from "./fake-microphone.ts";
import { hostPage, startHostSite, type HostSite } from "./host-page.ts";
import { recordEvents } from "./page-records.ts";
import { startServer, type Server } from "./stack.ts";
import { openAvatar } from "./talk.ts";
import { hearTones, lacksSherpa, sherpaEnvironment, sherpaHint } from "./tone-recognizer.ts";
import { snippet } from "./widget.ts";

/** Pages with the avatar, and a server whose recognizers hear tones. */
export interface TonePages {
  readonly server: Server;
  /** Opens the avatar in a browser whose microphone hears the sound of the file again and again. */
  open(file: string, path?: string): Promise<Page>;
}

/**
 * Starts the server and the pages for the tests of a file, which are skipped where the engine is not installed. What is heard depends
 * on time, so they run alone. `prepare` adds recognizers, and may return more attributes of the snippet by the path of their page.
 */
export function tonePages(
  prepare: (server: Server) => Promise<Readonly<Record<string, string>> | undefined>,
): TonePages {
  test.describe.configure({ lock: "-exclusive-" });
  test.skip(lacksSherpa, sherpaHint);
  let server: Server;
  let site: HostSite;
  let browser: Browser;

  test.beforeAll(async () => {
    server = await startServer("start", sherpaEnvironment);
    const attributes = (await prepare(server)) ?? { "/": "" };
    const pages = Object.entries(attributes).map(([path, more]) => [
      path,
      hostPage(snippet(server.origin, "ctx_demo", more)),
    ]);
    site = await startHostSite(Object.fromEntries(pages), { relayOrigin: server.origin });
  });
  test.afterAll(async () => {
    await site.close();
    await server.stop();
  });
  test.afterEach(() => browser.close());

  return {
    get server() {
      return server;
    },
    async open(file, path = "/") {
      browser = await browserWithMicrophone(test.info(), file);
      const page = await browser.newPage();
      await hearTones(page);
      await recordEvents(page);
      await openAvatar(page, `${site.origin}${path}?visavis-debug`);
      return page;
    },
  };
}
