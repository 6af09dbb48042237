/** What nobody sees is not sent, and a session in which nobody is there ends. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { captionedWords, recordConnections, recordEvents } from "../support/page-records.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { callApi, storedEvents, terminationReason } from "../support/service-api.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { untilModule } from "../support/page-modules.ts";
import { stopClock } from "../support/slow-machine.ts";
import {
  ask,
  longText,
  openAvatar,
  panelText,
  transcript,
  untilActivity,
  untilSpoken,
} from "../support/talk.ts";
import { avatar, sessionId, snippet, untilFirstFrame, untilState, withPicture } from "../support/widget.ts";

const inline = (relayOrigin: string, context: string): string =>
  `<div id="here"></div>${snippet(relayOrigin, context, `data-variant="inline" data-target="#here" ${withPicture}`)}`;

const served = useProxiedSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/picture": hostPage(snippet(relayOrigin, context, withPicture)),
    "/inline": hostPage(inline(relayOrigin, context)),
    "/dialog": hostPage(`<dialog open>${inline(relayOrigin, context)}</dialog>`),
  }),
});

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

test.beforeEach(async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
});

interface Received {
  /** Messages of the service: it answers the page's ping each second. */
  messages: number;
  packets: number;
  keyFrames: number;
  requests: number;
}

/** What the page has received of a kind of media. */
async function received(page: Page, kind: "video" | "audio"): Promise<Received> {
  return page.evaluate(async (wanted) => {
    const reports = [...(await window.madeConnections.at(-1)!.getStats()).values()];
    const report = reports.find(({ type, kind: has }) => type === "inbound-rtp" && has === wanted);
    return {
      messages: Number(reports.find(({ type }) => type === "data-channel")?.messagesReceived ?? 0),
      packets: Number(report?.packetsReceived ?? 0),
      keyFrames: Number(report?.keyFramesDecoded ?? 0),
      requests: Number(report?.pliCount ?? 0),
    };
  }, kind);
}

/** Waits until the service has answered pings and sent no packet meanwhile: 25 pictures or 50 packets of sound come from ping to ping. */
async function untilSilent(page: Page, kind: "video" | "audio"): Promise<void> {
  let before = await received(page, kind);
  await expect(async () => {
    const now = await received(page, kind);
    if (now.packets > before.packets) before = now;
    expect(now.messages).toBeGreaterThan(before.messages + 1);
  }).toPass();
}

async function untilMore(page: Page, kind: "video" | "audio"): Promise<void> {
  const before = (await received(page, kind)).packets;
  await expect.poll(async () => (await received(page, kind)).packets).toBeGreaterThan(before + 3);
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

/** Opens a page's avatar. Resolves when the modules are there that take care of its session. */
async function openReady(page: Page, path = "/"): Promise<string> {
  const cared = untilModule(page, "session-care");
  if (path === "/" || path === "/picture") await openAvatar(page, served.site.origin + path);
  else {
    await page.goto(served.site.origin + path);
    await avatar(page).evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) => void element.start());
    await untilState(page, "live");
    await untilFirstFrame(page);
  }
  await cared;
  return sessionId(page);
}

/** Ways out of sight and back. */
const ways: Record<
  string,
  { path?: string; leave(page: Page): Promise<unknown>; back(page: Page): Promise<unknown> }
> = {
  "a hidden tab": {
    path: "/picture",
    leave: (page) => setHidden(page, true),
    back: (page) => setHidden(page, false),
  },
  "a closed panel": {
    path: "/picture",
    leave: (page) => avatar(page).evaluate((element: HTMLElement) => element.removeAttribute("open")),
    back: (page) => avatar(page).evaluate((element: HTMLElement) => element.setAttribute("open", "")),
  },
  "a closed dialog": {
    path: "/dialog",
    leave: (page) => page.evaluate(() => document.querySelector("dialog")!.close()),
    back: (page) => page.evaluate(() => document.querySelector("dialog")!.show()),
  },
  "an element scrolled away": {
    path: "/inline",
    leave: (page) =>
      page.evaluate(() => {
        document.querySelector("main")!.style.height = "3000px";
        scrollTo(0, 2_000);
      }),
    back: (page) => page.evaluate(() => scrollTo(0, 0)),
  },
};

for (const [name, { path, leave, back }] of Object.entries(ways))
  test(`${name}: no video is sent, and it goes on when it is seen again`, async ({ page }) => {
    await openReady(page, path);
    await untilMore(page, "video");
    await leave(page);
    await untilSilent(page, "video");
    await untilMore(page, "audio");
    const before = await received(page, "video");
    await back(page);
    await untilMore(page, "video");
    // A receiver that has waited for pictures asks for one that stands alone.
    const after = await received(page, "video");
    if (after.requests > 0) expect(after.keyFrames).toBeGreaterThan(0);
    expect(after.packets).toBeGreaterThan(before.packets);
    await untilState(page, "live");
  });

test("a panel that opens again asks for its video at once, and only once", async ({ page }) => {
  await openReady(page, "/picture");
  await ways["a closed panel"]!.leave(page);
  await untilSilent(page, "video");
  const asked = await page.evaluateHandle(() => {
    const pauses: boolean[] = [];
    const channel = RTCDataChannel.prototype;
    const send = channel.send as (this: RTCDataChannel, message: string) => void;
    channel.send = function (this: RTCDataChannel, message: string) {
      const { type, data } = JSON.parse(message) as { type: string; data: { video: boolean } };
      if (type === "pause") pauses.push(data.video);
      send.call(this, message);
    } as typeof channel.send;
    document.querySelector("visavis-avatar")!.setAttribute("open", "");
    return { atOnce: [...pauses], pauses };
  });
  expect(await asked.evaluate(({ atOnce }) => atOnce)).toEqual([false]);
  await untilMore(page, "video");
  expect(await asked.evaluate(({ pauses }) => pauses)).toEqual([false]);
});

test("out of sight the avatar finishes its sentence, and says the next one when it is seen again", async ({
  page,
}) => {
  model.answer = says(`${longText} Eighteen nineteen twenty.`);
  await openReady(page);
  await untilActivity(page, "idle");
  // In the moment of the word, however busy the machine is.
  await page.evaluate(() => {
    document.addEventListener("visavis-caption", ({ detail }) => {
      if (detail.word !== "two") return;
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
  });
  await ask(page, "Can you count?");
  await expect.poll(() => captionedWords(page)).toContain("seventeen.");
  await untilActivity(page, "idle");
  expect(await captionedWords(page)).not.toContain("Eighteen");
  await setHidden(page, false);
  await expect.poll(() => captionedWords(page)).toContain("twenty.");
  await expect
    .poll(async () => (await transcript(page)).at(-1))
    .toMatch(/^avatar: One .* twenty\. \(final\)$/);
});

test("after a minute out of sight no sound is sent, and after the idle time the session has ended", async ({
  page,
}) => {
  await page.clock.install();
  const id = await openReady(page, "/picture");
  await setHidden(page, true);
  await untilSilent(page, "video");
  await page.clock.fastForward(61_000);
  await untilSilent(page, "audio");
  await setHidden(page, false);
  await untilMore(page, "audio");
  await setHidden(page, true);
  await page.clock.fastForward(181_000);
  await untilState(page, "ended");
  await expect.poll(() => terminationReason(served.server, id)).toBe("GRACEFUL_TERMINATION");
});

test("nobody there: a countdown that can be stopped, then an end that says why", async ({ page }) => {
  await page.clock.install();
  const id = await openReady(page);
  await untilSpoken(page);
  await stopClock(page);
  // A sign of the visitor's, from which on the time counts.
  await avatar(page).dispatchEvent("pointerdown");
  const stay = avatar(page).getByRole("button", { name: "I’m still here" });
  await page.clock.fastForward(150_000);
  await expect(stay).toBeHidden();
  await page.clock.fastForward(15_000);
  await expect(stay).toBeVisible();
  await expect.poll(() => panelText(page)).toContain("This conversation ends in 15 seconds.");
  await stay.click();
  await expect(stay).toBeHidden();
  await page.clock.fastForward(150_000);
  await untilState(page, "live");
  await page.clock.fastForward(31_000);
  await untilState(page, "ended");
  await expect.poll(() => panelText(page)).toContain("Nobody was here for a while");
  await expect
    .poll(async () => (await storedEvents(served.server, id)).filter((kind) => /_END$|_ERROR$/.test(kind)))
    .toEqual(["SESSION_END"]);
  await page.clock.resume();
  await avatar(page).getByRole("button", { name: "Start again" }).click();
  await untilState(page, "live");
  expect(await sessionId(page)).not.toBe(id);
});

test("a session that its owner ends says so, and can be started again", async ({ page }) => {
  const id = await openReady(page);
  await callApi(served.server, `/api/v1/session/${id}/event/create/`, {
    method: "POST",
    body: JSON.stringify({ event: "SESSION_END" }),
  });
  await untilState(page, "ended");
  await expect.poll(() => panelText(page)).toContain("has ended the conversation.");
  await avatar(page).getByRole("button", { name: "Start again" }).click();
  await untilState(page, "live");
});
