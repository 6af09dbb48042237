import { expect, test } from "../support/test.ts";
import { hostPage, startHostSite } from "../support/host-page.ts";
import { recordEvents, seenErrors } from "../support/page-records.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { startServer } from "../support/stack.ts";
import { ask, askAndWait, panelText, transcript } from "../support/talk.ts";
import {
  clickLauncher,
  launcher,
  snippet,
  startSession,
  tryAgainButton,
  untilState,
} from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/unknown": hostPage(snippet(relayOrigin, "ctx_nobody")),
  }),
});

test("an inactive context is reported, and trying again works once it is active", async ({ page }) => {
  await recordEvents(page);
  await page.goto(served.site.origin);
  await launcher(page).waitFor();
  await changeContext(served, (context) => (context["is_active"] = false));
  await clickLauncher(page);
  await untilState(page, "error");
  await expect.poll(() => seenErrors(page)).toContain("context_inactive");
  await expect.poll(() => panelText(page)).toContain("context_inactive");
  await changeContext(served, (context) => (context["is_active"] = true));
  await tryAgainButton(page).click();
  await untilState(page, "live");
});

test("a question over the rate limit stays in the transcript with an explanation, and the conversation goes on", async ({
  page,
}) => {
  const limited = await startServer("start", { VISAVIS_SESSION_TURNS_PER_MINUTE: "1" });
  const shop = await startHostSite(
    { "/": hostPage(snippet(limited.origin, "ctx_demo")) },
    { relayOrigin: limited.origin },
  );
  try {
    await recordEvents(page);
    await page.goto(shop.origin);
    await clickLauncher(page);
    await untilState(page, "live");
    await ask(page, "How much is the Birch chair?");
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*Birch/);
    // Not after the whole answer: that may take a busy machine a minute.
    await askAndWait(page, "And how much is the Alder chair?");
    await expect.poll(() => seenErrors(page)).toEqual(["rate_limited"]);
    await expect.poll(() => panelText(page)).toContain("And how much is the Alder chair?");
    await expect
      .poll(() => panelText(page))
      .toContain("That was a lot at once. Please ask again in a minute.");
    await untilState(page, "live");
  } finally {
    await shop.close();
    await limited.stop();
  }
});

test("an unknown context is reported", async ({ page }) => {
  await recordEvents(page);
  await page.goto(`${served.site.origin}/unknown`);
  await startSession(page);
  await expect.poll(() => seenErrors(page)).toContain("context_not_found");
});

test("a forbidden origin is reported", async ({ page }) => {
  await changeContext(served, (context) => {
    context.embed_config["allowed_origins"] = ["https://shop.example"];
  });
  await recordEvents(page);
  await page.goto(served.site.origin);
  await startSession(page);
  await expect.poll(() => seenErrors(page)).toContain("origin_not_allowed");
  await expect.poll(() => panelText(page)).toContain("origin_not_allowed");
  await changeContext(served, (context) => {
    context.embed_config["allowed_origins"] = ["http://127.0.0.1:*"];
  });
});
