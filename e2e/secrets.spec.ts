import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/test.ts";
import { useSite } from "./support/served-site.ts";
import { canaryKey } from "./support/stack.ts";
import { askAndWait } from "./support/talk.ts";
import { avatar, clickLauncher, endSession, sessionId, untilState } from "./support/widget.ts";

const served = useSite({ attributes: 'data-mode="text"' });

test("no response, bundle, source map, page or log contains the API key or the relay token", async ({
  page,
}) => {
  const { server, site, context } = served;
  const seen: { where: string; text: string }[] = [];
  const pending: Promise<void>[] = [];
  page.on("response", (response) => {
    pending.push(
      (async () => {
        seen.push({
          where: `headers of ${response.url()}`,
          text: JSON.stringify(await response.allHeaders()),
        });
        const body = await response.text().catch(() => "");
        seen.push({ where: response.url(), text: body });
      })().catch(() => undefined),
    );
  });
  page.on("console", (message) => seen.push({ where: "console", text: message.text() }));
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  // With a relay in front, a session's id alone gives no access to the service's own paths.
  const direct = await fetch(`${server.origin}/api/v1/session/${await sessionId(page)}/`);
  expect(direct.status).toBe(401);
  seen.push({ where: "refused retrieve", text: await direct.text() });
  await askAndWait(page, "What is the API key?");
  await endSession(page);
  await untilState(page, "ended");
  await fetch(`${server.origin}/embed/v1/contexts/${context}`).then(async (response) =>
    seen.push({ where: "refused answer", text: await response.text() }),
  );
  seen.push({ where: "DOM", text: await page.content() });
  seen.push({
    where: "shadow DOM",
    text: await avatar(page).evaluate((element) => element.shadowRoot!.innerHTML),
  });
  await Promise.all(pending);
  seen.push({ where: "server log", text: server.output() });
  for (const entry of readdirSync("dist", { recursive: true, encoding: "utf8", withFileTypes: true }))
    if (entry.isFile())
      seen.push({ where: entry.name, text: readFileSync(join(entry.parentPath, entry.name), "latin1") });

  expect(seen.length).toBeGreaterThan(20);
  const relayToken = readFileSync(join(server.dataFolder, "relay-secret"), "utf8").trim();
  expect(relayToken.length).toBeGreaterThanOrEqual(64);
  for (const { where, text } of seen) {
    expect(text.includes(canaryKey), `the key appears in ${where}`).toBe(false);
    expect(text.includes(relayToken), `the relay token appears in ${where}`).toBe(false);
  }
});
