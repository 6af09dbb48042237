import { expect, test, type Page } from "./support/test.ts";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { changeContext } from "./support/service-api.ts";
import { useServer } from "./support/served-site.ts";

const served = useServer();
let allowed: HostSite;
let refused: HostSite;

interface ParentMessage {
  origin: string;
  data: { source?: string; type?: string; detail?: { state?: string } };
}

declare global {
  interface Window {
    /** Messages that the frame has posted to the page. */
    parentMessages: ParentMessage[];
  }
}

test.beforeAll(async () => {
  const { server, context } = served;
  const page = hostPage(
    `<iframe src="${server.origin}/viewer/${context}" allow="microphone; autoplay; fullscreen" title="Mara" width="400" height="680"></iframe>`,
  );
  allowed = await startHostSite({ "/": page }, { relayOrigin: server.origin });
  refused = await startHostSite({ "/": page }, { relayOrigin: server.origin, host: "127.0.0.2" });
  await changeContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = [allowed.origin];
  });
});

test.afterAll(async () => {
  await allowed.close();
  await refused.close();
});

async function recordMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== window.top) return;
    const messages: ParentMessage[] = [];
    window.parentMessages = messages;
    window.addEventListener("message", (event) =>
      messages.push({ origin: event.origin, data: event.data as ParentMessage["data"] }),
    );
  });
}

const messagesOf = (page: Page): Promise<ParentMessage[]> => page.evaluate(() => window.parentMessages);

const command = (page: Page, name: string, ...args: unknown[]): Promise<void> =>
  page.evaluate(
    ([origin, message]) => {
      document.querySelector("iframe")?.contentWindow?.postMessage(message, origin);
    },
    [served.server.origin, { target: "visavis", command: name, args }] as const,
  );

test("an allowed parent receives the events and sends commands", async ({ page }) => {
  await recordMessages(page);
  await page.goto(allowed.origin);
  await expect(page.frameLocator("iframe").locator("visavis-avatar")).toBeAttached();
  await expect
    .poll(
      async () => {
        await command(page, "start");
        return (await messagesOf(page)).some(
          (message) => message.data.type === "visavis-statechange" && message.data.detail?.state === "live",
        );
      },
      { timeout: 20_000, intervals: [500] },
    )
    .toBe(true);
  await command(page, "send", "When are you open on Saturday?");
  await expect
    .poll(async () => JSON.stringify(await messagesOf(page)), { timeout: 15_000 })
    .toMatch(/"role":"avatar"[^}]*Saturday from 10 to 16/);
  await command(page, "end");
  await expect.poll(async () => JSON.stringify(await messagesOf(page))).toMatch(/"state":"ended"/);
  const messages = (await messagesOf(page)).filter((message) => message.data.source === "visavis");
  expect(messages.every((message) => message.origin === served.server.origin)).toBe(true);
});

test("an allowed parent shows buttons, and is told of their actions and of content that does not fit", async ({
  page,
}) => {
  await recordMessages(page);
  await page.goto(allowed.origin);
  const inside = page.frameLocator("iframe").locator("visavis-avatar");
  await expect(inside).toBeAttached();
  const told = async (): Promise<string> => JSON.stringify(await messagesOf(page));
  await expect
    .poll(
      async () => {
        await command(page, "start");
        return told();
      },
      { timeout: 20_000, intervals: [500] },
    )
    .toContain('"state":"live"');
  await command(page, "show", { buttons: [{ label: "Add to basket", onclick: "alert(1)" }] });
  await expect
    .poll(told)
    .toContain(
      '"code":"invalid_content","message":"show(): buttons[0].onclick is not a field here. There are: label, send, action, href."',
    );
  await command(page, "show", { buttons: [{ label: "<b>Add</b> to basket", action: "basket:add" }] });
  await inside.getByRole("button", { name: "<b>Add</b> to basket" }).click();
  await expect
    .poll(told)
    .toContain('"type":"visavis-action","detail":{"action":"basket:add","label":"<b>Add</b> to basket"}');
});

test("a parent that is not allowed can neither show the page nor get a message", async ({ page }) => {
  await recordMessages(page);
  const blocked = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(refused.origin);
  await blocked;
  await expect(page.frameLocator("iframe").locator("visavis-avatar")).not.toBeAttached();
  expect((await messagesOf(page)).filter((message) => message.data.source === "visavis")).toEqual([]);
});

test("the viewer's policy allows its listed parents and no others", async () => {
  const response = await fetch(`${served.server.origin}/viewer/${served.context}`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain(`frame-ancestors 'self' ${allowed.origin}`);
  expect(policy).not.toContain("unsafe-inline");
});
