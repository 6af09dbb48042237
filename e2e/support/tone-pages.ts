import { test, type Browser, type Page } from "./test.ts";
import { browserWithMicrophone, useMicrophone } from "./fake-microphone.ts";
import { hostPage, startHostSite, type HostSite } from "./host-page.ts";
import { recordEvents } from "./page-records.ts";
import { useServer, type Served } from "./served-site.ts";
import type { Server } from "./stack.ts";
import { openAvatar, recordActivities } from "./talk.ts";
import { hearTones, lacksSherpa, sherpaEnvironment, sherpaHint } from "./tone-recognizer.ts";
import { snippet } from "./widget.ts";

/** Pages with the avatar, and a server whose recognizers hear tones. */
export interface TonePages {
  readonly server: Server;
  /** Opens the avatar on a page whose microphone plays what `hear` says. */
  openTo(page: Page): Promise<void>;
  /** Opens the avatar in a browser whose microphone hears the sound of the file again and again. */
  open(file: string, path?: string): Promise<Page>;
}

/**
 * Starts the server and the pages for the tests of a file, which are skipped where the engine is not installed. `prepare` adds recognizers, and may return more attributes of the snippet by the path of their page.
 */
export function tonePages(
  prepare: (place: Served) => Promise<Readonly<Record<string, string>> | undefined>,
): TonePages {
  test.skip(lacksSherpa, sherpaHint);
  const served = useServer({ env: sherpaEnvironment });
  let site: HostSite;
  let browser: Browser | undefined;

  test.beforeAll(async () => {
    const { server, context } = served;
    const attributes = (await prepare(served)) ?? { "/": "" };
    const pages = Object.entries(attributes).map(([path, more]) => [
      path,
      hostPage(snippet(server.origin, context, more)),
    ]);
    site = await startHostSite(Object.fromEntries(pages), { relayOrigin: server.origin });
  });
  test.afterAll(async () => {
    await site.close();
  });
  test.afterEach(() => browser?.close());

  return {
    get server() {
      return served.server;
    },
    async openTo(page) {
      await useMicrophone(page);
      await recordEvents(page);
      await openAvatar(page, site.origin);
    },
    async open(file, path = "/") {
      browser = await browserWithMicrophone(test.info(), file);
      const page = await browser.newPage();
      await recordActivities(page.context());
      await hearTones(page);
      await recordEvents(page);
      await openAvatar(page, `${site.origin}${path}?visavis-debug`);
      return page;
    },
  };
}
