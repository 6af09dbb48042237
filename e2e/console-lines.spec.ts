/** What the browser's console says to those who have put the avatar into a page, when it does not work. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite } from "./support/host-page.ts";
import { changeContext } from "./support/service-api.ts";
import { useServer } from "./support/served-site.ts";
import { launcher, snippet, startSession } from "./support/widget.ts";

const served = useServer();

/** Opens a page of another origin with the markup. Returns the lines about the avatar in its console, as they come. */
async function linesOn(
  page: Page,
  markup: string,
  use: (lines: readonly string[], origin: string) => Promise<void>,
  policy: string | false = false,
): Promise<void> {
  const lines: string[] = [];
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

const missing = "Visavis: check context and target";

test("a script tag without data-context", async ({ page }) => {
  await linesOn(page, `<script async src="${served.server.origin}/embed.js"></script>`, async (lines) => {
    await expect.poll(() => lines).toContain(missing);
  });
});

test("a data-target that is not in the page", async ({ page }) => {
  const markup = snippet(served.server.origin, served.context, 'data-target="#nowhere"');
  await linesOn(page, markup, async (lines) => {
    await expect.poll(() => lines).toContain(missing);
  });
});

test("a script tag for elements in the page's own markup needs no data-context", async ({ page }) => {
  const markup = `<visavis-avatar context-id="${served.context}"></visavis-avatar><script async src="${served.server.origin}/embed.js"></script>`;
  await linesOn(page, markup, async (lines) => {
    await expect(launcher(page)).toBeVisible();
    expect(lines).toEqual([]);
  });
});

test("an empty data-relay, as a template may leave it, means the loader's own relay", async ({ page }) => {
  await linesOn(page, snippet(served.server.origin, served.context, 'data-relay=""'), async (lines) => {
    await expect(launcher(page)).toBeVisible();
    expect(lines).toEqual([]);
  });
});

test("an element whose context-id is empty", async ({ page }) => {
  const markup = `<visavis-avatar context-id=""></visavis-avatar><script async src="${served.server.origin}/embed.js"></script>`;
  await linesOn(page, markup, async (lines) => {
    await expect.poll(() => lines).toContain(missing);
  });
});

test("attributes with values that nobody knows, when the panel is there", async ({ page }) => {
  const attributes = 'data-variant="Bubble" data-theme="night" data-padding-left="much"';
  await linesOn(page, snippet(served.server.origin, served.context, attributes), async (lines) => {
    await launcher(page).click();
    await expect
      .poll(() => lines)
      .toEqual([
        'Visavis: variant="Bubble" is unknown: use bubble, inline, fullscreen, compact',
        'Visavis: theme="night" is unknown: use auto, light, dark',
        'Visavis: padding-left="much" is unknown: use a number from -1 to 1',
      ]);
  });
});

test("a page without an origin, such as a frame with sandbox or a file", async ({ page }) => {
  const inner = hostPage(snippet(served.server.origin, served.context)).replaceAll('"', "&quot;");
  const markup = `<iframe sandbox="allow-scripts" width="600" height="400" srcdoc="${inner}"></iframe>`;
  await linesOn(page, markup, async (lines) => {
    await page.frameLocator("iframe").locator("visavis-avatar [part~=launcher-button]").hover();
    await expect.poll(() => lines).toEqual([expect.stringContaining("Serve the page over http or https")]);
  });
});

test("a wrong id", async ({ page }) => {
  await linesOn(page, snippet(served.server.origin, "ctx_nobody"), async (lines) => {
    await expect.poll(() => lines).toEqual([expect.stringContaining("Check the context id in the snippet.")]);
  });
});

test("an origin that the context does not allow, as soon as the visitor reaches for the launcher", async ({
  page,
}) => {
  await changeContext(served, (context) => {
    context.embed_config["allowed_origins"] = ["https://shop.example"];
  });
  try {
    await linesOn(page, snippet(served.server.origin, served.context), async (lines, origin) => {
      await launcher(page).hover();
      const line = `Visavis: Pages of ${origin} may not use this context. Add the origin to its allowed_origins.`;
      await expect.poll(() => lines).toEqual([line]);
      await startSession(page);
      await expect(page.locator("visavis-avatar").getByText("origin_not_allowed")).toBeVisible();
      expect(lines).toEqual([line]);
    });
  } finally {
    await changeContext(served, (context) => {
      context.embed_config["allowed_origins"] = ["http://127.0.0.1:*"];
    });
  }
});

test("a relay that does not answer", async ({ page }) => {
  await page.route("**/embed/v1/**", (route) => route.abort());
  await linesOn(page, snippet(served.server.origin, served.context), async (lines) => {
    await expect.poll(() => lines).toEqual([`Visavis: no answer from ${served.server.origin}`]);
  });
});

/** A policy that blocks one thing the avatar needs, by the directive. */
const policies: Record<string, (relay: string) => string> = {
  "connect-src": (relay) => `default-src 'self'; script-src ${relay}; style-src 'self'`,
  // The loader is allowed, the modules that it loads are not.
  "script-src-elem": (relay) => `script-src ${relay}/embed.js`,
  "img-src": (relay) => `img-src 'self'; script-src ${relay}`,
};

for (const [directive, policy] of Object.entries(policies))
  test(`the directive of the page's policy that blocks the avatar: ${directive}`, async ({ page }) => {
    const { origin } = served.server;
    await linesOn(
      page,
      snippet(origin, served.context),
      async (lines) => {
        if (directive === "script-src-elem") await launcher(page).hover();
        await expect.poll(() => lines).toContain(`Visavis: CSP: allow ${origin} in ${directive}`);
      },
      policy(origin),
    );
  });

test("what the page's policy blocks of other scripts is not reported", async ({ page }) => {
  const { origin } = served.server;
  const markup = `${snippet(origin, served.context)}<img alt="" src="http://127.0.0.1:9/other.png">`;
  const policy = `img-src data: ${origin}; script-src ${origin}; connect-src ${origin}`;
  const blocked = page.waitForEvent("console", (message) => message.text().includes("other.png"));
  await linesOn(
    page,
    markup,
    async (lines) => {
      await blocked;
      await expect(launcher(page)).toBeVisible();
      expect(lines).toEqual([]);
    },
    policy,
  );
});
