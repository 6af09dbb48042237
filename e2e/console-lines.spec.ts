/** What the browser's console says to those who have put the avatar into a page, when it does not work. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { changeContext } from "./support/service-api.ts";
import { useServer } from "./support/served-site.ts";
import { launcher, snippet, startSession } from "./support/widget.ts";

const served = useServer();

/** Opens a page of another origin with the markup. Gives the lines about the avatar in its console, as they come. */
async function linesOn(
  page: Page,
  markup: string,
  use: (lines: readonly string[], origin: string) => Promise<void>,
  policy: string | false = false,
): Promise<void> {
  const lines: string[] = [];
  page.removeAllListeners("console");
  page.on("console", (message) => {
    if (message.text().startsWith("Visavis: ")) lines.push(message.text());
  });
  const site = await startHostSite({ "/": hostPage(markup) }, { relayOrigin: served.server.origin, policy });
  try {
    await page.goto(site.origin);
    await use(lines, site.origin);
  } finally {
    await site.close();
  }
}

const loader = (): string => `<script async src="${served.server.origin}/embed.js"></script>`;
const embed = (attributes = "", context = served.context): string =>
  snippet(served.server.origin, context, attributes);

test("a page says what its markup lacks, and nothing where it lacks nothing", async ({ page }) => {
  const missing = "Visavis: check context and target";
  const wrong: Record<string, [markup: string, line: unknown]> = {
    "a script tag without data-context": [loader(), missing],
    "a data-target that is not in the page": [embed('data-target="#nowhere"'), missing],
    "an element whose context-id is empty": [
      `<visavis-avatar context-id=""></visavis-avatar>${loader()}`,
      missing,
    ],
    "a wrong id": [embed("", "ctx_nobody"), expect.stringContaining("Check the context id in the snippet.")],
  };
  for (const [name, [markup, line]] of Object.entries(wrong))
    await linesOn(page, markup, (lines) => expect.poll(() => lines, name).toEqual([line]));
  const right: Record<string, string> = {
    "elements in the page's own markup need no data-context": `<visavis-avatar context-id="${served.context}"></visavis-avatar>${loader()}`,
    "an empty data-relay, as a template may leave it, is the loader's own": embed('data-relay=""'),
  };
  for (const [name, markup] of Object.entries(right))
    await linesOn(page, markup, async (lines) => {
      await expect(launcher(page), name).toBeVisible();
      expect(lines, name).toEqual([]);
    });
  await linesOn(page, embed('data-mode="text" data-theme="night"'), async (lines) => {
    await launcher(page).click();
    await expect.poll(() => lines).toEqual(['Visavis: theme="night" is unknown: use auto, light, dark']);
  });
});

test("a page without an origin, one that the context does not allow, and one whose relay does not answer, say so", async ({
  page,
}) => {
  // Such as a frame with sandbox, or a file.
  const inner = hostPage(embed()).replaceAll('"', "&quot;");
  const frame = `<iframe sandbox="allow-scripts" width="600" height="400" srcdoc="${inner}"></iframe>`;
  await linesOn(page, frame, async (lines) => {
    await page.frameLocator("iframe").locator("visavis-avatar [part~=launcher-button]").hover();
    await expect.poll(() => lines).toEqual([expect.stringContaining("Serve the page over http or https")]);
  });

  await changeContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = ["https://shop.example"];
  });
  await linesOn(page, embed(), async (lines, origin) => {
    // As soon as the visitor reaches for the launcher.
    await launcher(page).hover();
    const line = `Visavis: Pages of ${origin} may not use this context. Add the origin to its allowed_origins.`;
    await expect.poll(() => lines).toEqual([line]);
    await startSession(page);
    await expect(page.locator("visavis-avatar").getByText("origin_not_allowed")).toBeVisible();
    expect(lines).toEqual([line]);
  });
  await changeContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = ["http://127.0.0.1:*"];
  });

  await page.route("**/embed/v1/**", (route) => route.abort());
  await linesOn(page, embed(), (lines) =>
    expect.poll(() => lines).toEqual([`Visavis: no answer from ${served.server.origin}`]),
  );
});

/** A policy that blocks one thing the avatar needs, by the directive. */
const policies: Record<string, (relay: string) => string> = {
  "connect-src": (relay) => `default-src 'self'; script-src ${relay}; style-src 'self'`,
  // The loader is allowed, the modules that it loads are not.
  "script-src-elem": (relay) => `script-src ${relay}/embed.js`,
  "img-src": (relay) => `img-src 'self'; script-src ${relay}`,
};

test("the directive of the page's policy that blocks the avatar is named, and nothing that it blocks of others", async ({
  page,
}) => {
  const { origin } = served.server;
  for (const [directive, policy] of Object.entries(policies))
    await linesOn(
      page,
      embed(),
      async (lines) => {
        if (directive === "script-src-elem") await launcher(page).hover();
        await expect.poll(() => lines).toContain(`Visavis: CSP: allow ${origin} in ${directive}`);
      },
      policy(origin),
    );

  const markup = `${embed()}<img alt="" src="http://127.0.0.1:9/other.png">`;
  const policy = `img-src data: ${origin}; script-src ${origin}; connect-src ${origin}`;
  await linesOn(
    page,
    markup,
    async (lines) => {
      const blocked = page.waitForEvent("console", (message) => message.text().includes("other.png"));
      await page.reload();
      await blocked;
      await expect(launcher(page)).toBeVisible();
      expect(lines).toEqual([]);
    },
    policy,
  );
});
