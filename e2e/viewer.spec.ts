import { expect, test, type Locator, type Page } from "./support/test.ts";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { changeContext } from "./support/service-api.ts";
import { useServer } from "./support/served-site.ts";
import type { AvatarElement } from "./support/widget.ts";

const served = useServer();
let refused: HostSite;
/** An allowed page with a second frame, whose script is of another site. */
let shared: HostSite;
let closeHostile: () => Promise<void>;

/** What somebody sends who may not, or what is no command. Each would be seen: a conversation would begin. */
const forged = [
  { target: "visavis", command: "start" },
  { target: "visavis", command: "open", args: [] },
  { target: "visavis", command: "send", args: ["When are you open?"] },
  { target: "visavis", command: "say", args: ["<img src=x onerror=alert(1)>"] },
  {
    target: "visavis",
    command: "show",
    args: [{ buttons: [{ label: "Pay", href: "javascript:alert(1)" }] }],
  },
];
const noCommands = [
  null,
  "start",
  ["visavis", "start"],
  { target: "visavis" },
  { target: "visavis", command: ["start"] },
  { target: "visavis", command: "constructor" },
  { target: "visavis", command: "__proto__" },
  { target: "visavis", command: "remove" },
  { target: "visavis", command: "innerHTML", args: ["<img src=x onerror=alert(1)>"] },
  { target: "visavis", command: "setAttribute", args: ["onclick", "alert(1)"] },
  { target: "visavis", command: "registerTool", args: [{ name: "x" }] },
  { target: "visavis", command: "start", args: [1, 2, 3, 4, 5] },
  { target: "visavis", command: "start", args: "all" },
  { target: "visavis", command: "send", args: [{ toString: "now" }] },
  { target: "visavis", command: "setVariables", args: [{ name: { first: "deep" } }] },
  { target: "elsewhere", command: "start" },
];

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
    `<iframe src="${server.origin}/viewer/${context}?mode=text" allow="microphone; autoplay; fullscreen" title="Mara" width="400" height="680"></iframe>`,
  );
  refused = await startHostSite({ "/": page }, { relayOrigin: server.origin, host: "127.0.0.2" });
  const script = `setInterval(() => {
    for (const message of ${JSON.stringify(forged)}) parent.frames[0].postMessage(message, "*");
    parent.postMessage("sent", "*");
  }, 20);`;
  const hostile = await startHostSite(
    {
      "/": hostPage(
        `<script src="/hostile.js"></script><iframe src="${server.origin}/viewer/${context}" title="Mara"></iframe>`,
      ),
    },
    { relayOrigin: server.origin, host: "127.0.0.2", policy: false, scripts: { "/hostile.js": script } },
  );
  shared = await startHostSite(
    { "/": `${page}<iframe src="${hostile.origin}" title="An advertisement"></iframe>` },
    { relayOrigin: server.origin, policy: false },
  );
  closeHostile = () => hostile.close();
  await changeContext(served, ({ embed_config }) => {
    embed_config["allowed_origins"] = [shared.origin];
  });
});

test.afterAll(async () => {
  await refused.close();
  await shared.close();
  await closeHostile();
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

/** The avatar in the frame, as soon as it takes commands. */
async function frameReady(page: Page, frame = "iframe"): Promise<Locator> {
  const inside = page.frameLocator(frame).locator("visavis-avatar");
  await expect.poll(() => inside.evaluate((found: AvatarElement) => found.state)).toBe("idle");
  return inside;
}

const messagesOf = (page: Page): Promise<ParentMessage[]> => page.evaluate(() => window.parentMessages);

const command = (page: Page, name: string, ...args: unknown[]): Promise<void> =>
  page.evaluate(
    ([origin, message]) => {
      document.querySelector("iframe")?.contentWindow?.postMessage(message, origin);
    },
    [served.server.origin, { target: "visavis", command: name, args }] as const,
  );

test("an allowed parent alone receives the events and sends commands; another frame of its page commands nothing, and what is no command does nothing", async ({
  page,
}) => {
  const faults: string[] = [];
  const begun: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => faults.push(dialog.message()));
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/embed/v1/sessions"))
      begun.push(request.url());
  });
  await recordMessages(page);
  await page.goto(shared.origin);
  const inside = await frameReady(page, "iframe[title=Mara]");
  const sent = async (): Promise<number> =>
    (await messagesOf(page)).filter(({ data }) => (data as unknown) === "sent").length;
  const told = async (): Promise<string> => JSON.stringify(await messagesOf(page));
  const before = await sent();
  for (const message of noCommands)
    await page.evaluate(
      ([origin, given]) => document.querySelector("iframe")?.contentWindow?.postMessage(given, origin),
      [served.server.origin, message] as const,
    );
  await expect.poll(sent).toBeGreaterThan(before + 20);
  expect(await inside.evaluate((found: AvatarElement) => found.state)).toBe("idle");
  expect(await inside.evaluate((found) => found.getAttributeNames())).not.toContain("onclick");
  expect(begun).toEqual([]);
  // The hostile page may not even show the viewer.
  const advertisement = page.frameLocator("iframe[title='An advertisement']");
  await expect(advertisement.frameLocator("iframe").locator("visavis-avatar")).not.toBeAttached();

  // The page itself is heard beside all that.
  await command(page, "start");
  await expect.poll(told).toContain('"state":"live"');
  expect(begun).toHaveLength(1);
  await command(page, "send", "When are you open on Saturday?");
  await expect.poll(told).toMatch(/"role":"avatar"[^}]*Saturday from 10 to 16/);
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
  await command(page, "end");
  await expect.poll(told).toMatch(/"state":"ended"/);
  const messages = (await messagesOf(page)).filter((message) => message.data.source === "visavis");
  expect(messages.every((message) => message.origin === served.server.origin)).toBe(true);
  expect(faults).toEqual([]);

  await page.goto("about:blank");
  const blocked = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(refused.origin);
  await blocked;
  await expect(page.frameLocator("iframe").locator("visavis-avatar")).not.toBeAttached();
  expect((await messagesOf(page)).filter((message) => message.data.source === "visavis")).toEqual([]);
});
