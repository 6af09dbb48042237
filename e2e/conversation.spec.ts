import { expect, test } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { sampleMouthAndSound } from "./support/lips.ts";
import { startServer, type Server } from "./support/stack.ts";
import {
  avatar,
  callApi,
  clickLauncher,
  difference,
  pictureOf,
  recordConnections,
  recordEvents,
  seenEvents,
  sessionId,
  snippet,
  storedEvents,
  untilAudible,
  untilFirstFrame,
  untilState,
} from "./support/widget.ts";

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  site = await startHostSite(
    {
      "/": hostPage(snippet(server.origin)),
      "/inline": hostPage(
        `<div id="here"></div>${snippet(server.origin, "ctx_demo", 'data-variant="inline" data-target="#here" data-transparent')}`,
      ),
    },
    { relayOrigin: server.origin },
  );
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

test("a conversation on a foreign page, from the click to the graceful end", async ({ page }) => {
  const policyFaults: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) policyFaults.push(message.text());
  });
  await recordConnections(page);
  await recordEvents(page);
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);

  const stage = page.locator("visavis-avatar canvas").first();
  const first = await pictureOf(page, stage);

  await test.step("the greeting is heard with the lips in time", async () => {
    const lips = await sampleMouthAndSound(page, 5_000);
    expect(lips.loudSamples, "sound was heard").toBeGreaterThan(10);
    expect(lips.quietSamples, "and then silence").toBeGreaterThan(10);
    expect(lips.motionWhileLoud).toBeGreaterThan(2 * lips.motionWhileQuiet);
  });

  await test.step("the picture lives", async () => {
    expect(difference(first, await pictureOf(page, stage))).toBeGreaterThan(0.001);
  });

  await test.step("a question is answered in writing and aloud", async () => {
    const heard = untilAudible(page);
    await avatar(page).evaluate((element) =>
      (element as unknown as { send(text: string): Promise<void> }).send(
        "How much is the Alder reading chair?",
      ),
    );
    await heard;
    const transcript = await avatar(page).evaluate((element) =>
      (element as unknown as { transcript: { role: string; text: string }[] }).transcript.map(
        ({ role, text }) => `${role}: ${text}`,
      ),
    );
    expect(transcript).toContainEqual("visitor: How much is the Alder reading chair?");
    expect(transcript.at(-1)).toMatch(/^avatar: .*480 euros/);
    const captions = (await seenEvents(page)).filter((event) => event.type === "visavis-caption");
    expect(captions.length).toBeGreaterThan(3);
  });

  const id = await sessionId(page);
  await page.waitForTimeout(10_500);
  await avatar(page).evaluate((element) => (element as unknown as { end(): Promise<void> }).end());
  await untilState(page, "ended");

  const session = (await (await callApi(server, `/api/v1/session/${id}/`)).json()) as Record<string, unknown>;
  expect(session["status"]).toBe("TERMINATED");
  expect(session["termination_reason"]).toBe("GRACEFUL_TERMINATION");
  const kinds = (await storedEvents(server, id)).filter((kind) => /START|DURING|END|ERROR/.test(kind));
  expect(kinds[0]).toBe("SESSION_START");
  expect(kinds.at(-1)).toBe("SESSION_END");
  expect(kinds.slice(1, -1).length).toBeGreaterThan(0);
  expect(new Set(kinds.slice(1, -1))).toEqual(new Set(["SESSION_DURING"]));
  expect(policyFaults).toEqual([]);
});

test("a transparent avatar stands on the page itself", async ({ page }) => {
  await page.goto(`${site.origin}/inline`);
  await page.waitForFunction(() => document.querySelector("visavis-avatar"));
  await avatar(page).evaluate((element) => (element as unknown as { start(): Promise<void> }).start());
  await untilState(page, "live");
  await untilFirstFrame(page);
  await page.waitForTimeout(400);
  const picture = await pictureOf(page, page.locator("visavis-avatar canvas").first());
  // The page's ground shows beside the head, and the avatar in the middle of the frame.
  const beside = picture.at(picture.width * 0.04, picture.height * 0.3);
  expect(beside).toEqual([255, 0, 255]);
  expect(picture.at(picture.width * 0.5, picture.height * 0.45)).not.toEqual([255, 0, 255]);
});
