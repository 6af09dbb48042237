import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { recordEvents, seenEvents } from "./support/page-records.ts";
import { embedSnippets } from "./support/service-api.ts";
import { useServer } from "./support/served-site.ts";
import { ask } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  snippet,
  startSession,
  untilFirstFrame,
  untilState,
  withPicture,
} from "./support/widget.ts";

declare global {
  interface Window {
    /** What the page's policies have blocked. */
    refused: string[];
    /** Names of the Trusted Types policies that scripts have created. */
    madePolicies: string[];
    ownScriptRan?: boolean;
    trustedTypes: { createPolicy(name: string, ...rest: unknown[]): unknown };
  }
}

const served = useServer();

/** Records what the page's policies block, and which Trusted Types policies scripts create. */
async function recordRefusals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    const made: string[] = [];
    Object.assign(window, { refused, madePolicies: made });
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
      refused.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
    const { trustedTypes: factory } = window;
    const create = factory.createPolicy.bind(factory);
    factory.createPolicy = (name, ...rest) => {
      made.push(name);
      return create(name, ...rest);
    };
  });
}

const refusals = (page: Page): Promise<{ refused: string[]; madePolicies: string[] }> =>
  page.evaluate(() => {
    const { refused, madePolicies } = window;
    return { refused, madePolicies };
  });

/** A conversation from the click to the end, with the transcript and every button that a visitor sees in it. */
async function converse(page: Page, hasPicture = true): Promise<void> {
  await clickLauncher(page);
  await untilState(page, "live");
  if (hasPicture) await untilFirstFrame(page);
  await ask(page, "How much is the Alder reading chair?");
  await expect
    .poll(async () => JSON.stringify(await seenEvents(page)))
    .toMatch(/"role":"avatar"[^}]*480 euros/);
  await endSession(page);
  await untilState(page, "ended");
}

const foreign = (relay: string, script: string) =>
  `default-src 'self'; ${script}; style-src 'self'; connect-src ${relay}; img-src data: blob: ${relay}; ` +
  `media-src blob: ${relay}; font-src ${relay}; base-uri 'none'; object-src 'none'; require-trusted-types-for 'script'`;

const nonce = "bm9uY2U";
const policies: [name: string, policy: (relay: string) => string][] = [
  ["trusted-types 'none'", (relay) => `${foreign(relay, `script-src ${relay}`)}; trusted-types 'none'`],
  [
    "a list of other policies",
    (relay) => `${foreign(relay, `script-src ${relay}`)}; trusted-types shop dompurify`,
  ],
  [
    "a nonce with strict-dynamic",
    (relay) => `${foreign(relay, `script-src 'nonce-${nonce}' 'strict-dynamic'`)}; trusted-types 'none'`,
  ],
  [
    "style-src 'none'",
    (relay) =>
      `${foreign(relay, `script-src ${relay}`).replace("style-src 'self'", "style-src 'none'")}; trusted-types 'none'`,
  ],
];

/** Such a page has no style sheet of its own. */
const ofThePage = "/host.css";

test("a whole conversation on pages with strict policies, without a policy of the widget's own", async ({
  page,
}) => {
  await recordRefusals(page);
  await recordEvents(page);
  for (const [name, policy] of policies) {
    // A voice and a picture under the strictest, which is the last; all others in writing.
    const mode = name === policies.at(-1)![0] ? `${withPicture} data-render="local"` : 'data-mode="text"';
    const site = await startHostSite(
      { "/": hostPage(snippet(served.server.origin, served.context, `nonce="${nonce}" ${mode}`)) },
      { relayOrigin: served.server.origin, policy: policy(served.server.origin) },
    );
    try {
      await page.goto(site.origin);
      await converse(page, mode !== 'data-mode="text"');
      const { refused, madePolicies } = await refusals(page);
      expect(
        refused.filter((line) => !line.includes(ofThePage)),
        name,
      ).toEqual([]);
      expect(madePolicies, name).toEqual([]);
    } finally {
      await site.close();
    }
  }
});

test("our own pages require Trusted Types, and the demo page and the viewer work under them", async ({
  page,
}) => {
  // The API page needs the policy of its template library, and creates no other (api-page.spec.ts).
  const policies = { "/": "'none'", "/viewer/ctx_demo": "'none'", "/api/": "lit-html" };
  for (const [path, policy] of Object.entries(policies)) {
    const answer = await fetch(served.server.origin + path, { headers: { accept: "text/html" } });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get("content-security-policy")).toContain(
      `require-trusted-types-for 'script'; trusted-types ${policy}`,
    );
  }
  await recordRefusals(page);
  await recordEvents(page);
  await page.goto(served.server.origin);
  // The page has two avatars. The first one is known when both are there.
  await expect(page.locator("visavis-avatar [part~=launcher-button]")).toHaveCount(2);
  await converse(page);
  expect(await refusals(page)).toEqual({ refused: [], madePolicies: [] });
  await page.goto(`${served.server.origin}/viewer/ctx_demo`);
  await startSession(page);
  await untilFirstFrame(page);
  expect(await refusals(page)).toEqual({ refused: [], madePolicies: [] });
});

/** The pinned snippet, as the console gives it. */
async function pinnedSnippet(): Promise<string> {
  return (await embedSnippets(served)).script_pinned;
}

async function withPage(markup: string, use: (site: HostSite) => Promise<void>): Promise<void> {
  const site = await startHostSite(
    { "/": hostPage(`${markup}<script src="/own.js" defer></script>`) },
    { relayOrigin: served.server.origin, scripts: { "/own.js": "window.ownScriptRan = true" } },
  );
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

test("the loader has an integrity hash at an address that never changes, and one with other content is refused", async ({
  page,
}) => {
  const markup = await pinnedSnippet();
  expect(markup).toMatch(
    /\/embed\/[\w-]{16}\/embed\.js" integrity="sha384-[\w+/]{64}" crossorigin="anonymous"/,
  );
  const address = /src="([^"]+)"/.exec(markup)?.[1] ?? "";
  expect((await fetch(address)).headers.get("cache-control")).toContain("immutable");
  await withPage(markup.replace("<script", '<script data-mode="text"'), async (site) => {
    await page.goto(site.origin);
    await clickLauncher(page);
    await untilState(page, "live");
    // Everything else comes from the relay's usual paths.
    expect(await avatar(page).getAttribute("relay")).toBe(served.server.origin);
  });

  const wrong = markup.replace(/sha384-./, (start) => (start.endsWith("A") ? "sha384-B" : "sha384-A"));
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const refused = page.waitForEvent("console", (message) => /integrity/i.test(message.text()));
  await withPage(wrong, async (site) => {
    await page.goto(site.origin);
    await refused;
    expect(await page.evaluate(() => window.ownScriptRan)).toBe(true);
    await expect(page.locator("h1")).toHaveText("A page of its own");
    await expect(page.locator("visavis-avatar")).toHaveCount(0);
    expect(errors).toEqual([]);
  });
});
