/**
 * What happens to a conversation when the network fails. The browser is behind a NAT router and a line of its own
 * (support/lossy-link), so packets are lost without any error.
 */
import { expect, test as base, type Page } from "../support/test.ts";
import { openDistantStage, type DistantStage } from "../support/lossy-link/distant-stage.ts";
import { linkProblem, type LinkQuality, type LossyLink } from "../support/lossy-link/lossy-link.ts";
import {
  captionedWords,
  recordConnections,
  recordEvents,
  seenErrors,
  seenStates,
  untilAudible,
} from "../support/page-records.ts";
import { storedEvents } from "../support/service-api.ts";
import { untilModule } from "../support/page-modules.ts";
import { ask, longText, openAvatar, panelText, say, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, sessionId, untilState } from "../support/widget.ts";
import { hasTurnServer, startTurnServer, type TurnServer } from "../../test/service/media/turn-server.ts";

const problem = linkProblem();
base.skip(problem !== null, problem ?? "");

let stage: DistantStage;

async function open(
  quality: LinkQuality = {},
  env?: (link: LossyLink) => Promise<Record<string, string>>,
): Promise<Page> {
  stage = await openDistantStage(quality, env);
  const page = await stage.browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await recordConnections(page);
  await recordEvents(page);
  await recordTimes(page);
  return page;
}

base.afterEach(() => stage.close());

declare global {
  interface Window {
    /** Times on the page's clock. */
    notedTimes: { what: string; atMs: number }[];
    /** How late a timer was at most: for so long the machine had no time for the page. */
    stallMs: number;
  }
}

/** Records when the connection's and the session's states change, and when exchanges are sent. */
async function recordTimes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const times: Window["notedTimes"] = [];
    const note = (what: string): void => void times.push({ what, atMs: performance.now() });
    window.notedTimes = times;
    window.stallMs = 0;
    let turnMs = performance.now();
    setInterval(() => {
      const nowMs = performance.now();
      window.stallMs = Math.max(window.stallMs, nowMs - turnMs - 50);
      turnMs = nowMs;
    }, 50);
    const Native = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        this.addEventListener("connectionstatechange", () => note(this.connectionState));
      }
    };
    const nativeFetch = window.fetch;
    window.fetch = (...words) => {
      if (typeof words[0] === "string" && words[0].endsWith("/exchange")) note("exchange");
      return nativeFetch(...words);
    };
    addEventListener("online", () => note("online"));
    document.addEventListener("visavis-statechange", (event) =>
      note((event as CustomEvent<{ state: string }>).detail.state),
    );
  });
}

/** When something was first recorded after something else. */
async function timeOf(page: Page, what: string, after = 0): Promise<number> {
  const noted = await page.evaluate(() => window.notedTimes);
  return noted.find((time) => time.what === what && time.atMs > after)?.atMs ?? Number.NaN;
}

const stallMs = (page: Page): Promise<number> => page.evaluate(() => window.stallMs);

/** Of what follows, `stallMs` tells. */
const forgetStalls = (page: Page): Promise<number> => page.evaluate(() => (window.stallMs = 0));

const finalAnswer = /^avatar: .+ \(final\)$/;

base(
  "with 5 % loss and a round trip of 200 ms the avatar appears and answers, and no error is shown",
  async () => {
    const page = await open({ delayMs: 100, jitterMs: 5, lossPercent: 5 });
    await openAvatar(page, stage.site.origin);
    const heard = untilAudible(page);
    await ask(page, "How much is the Alder reading chair?");
    await heard;
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(finalAnswer);
    expect(await seenStates(page)).toEqual(["connecting", "live"]);
    expect(await seenErrors(page)).toEqual([]);
  },
);

base(
  "an outage of three seconds in mid-sentence changes nothing on the page, and the sentence is spoken to its end",
  async () => {
    const page = await open();
    await openAvatar(page, stage.site.origin);
    await say(page, longText);
    await expect.poll(() => captionedWords(page)).toContain("three");
    await stage.link.cutFor(3_000);
    await expect.poll(() => captionedWords(page)).toContain("seventeen.");
    expect(await seenStates(page)).toEqual(["connecting", "live"]);
  },
);

base(
  "an outage of twenty seconds: reconnecting is shown, then the same session continues and says the rest",
  async () => {
    const page = await open();
    const id = await openAvatar(page, stage.site.origin);
    await expect.poll(() => storedEvents(stage.server, id)).toContain("SESSION_START");
    await say(page, longText);
    await expect.poll(() => captionedWords(page)).toContain("three");
    await forgetStalls(page);
    stage.link.cut();
    const cutAtMs = performance.now();
    await untilState(page, "reconnecting");
    await expect.poll(() => panelText(page)).toContain("Reconnecting");
    await expect.poll(() => performance.now() - cutAtMs).toBeGreaterThan(20_000);
    stage.link.mend();
    await untilState(page, "live");
    expect(await sessionId(page)).toBe(id);
    await expect.poll(() => captionedWords(page)).toContain("seventeen.");
    // The widget showed it no later than a second after the browser noticed.
    const disconnectedMs = await timeOf(page, "disconnected");
    expect(await timeOf(page, "reconnecting")).toBeLessThan(disconnectedMs + 1_000 + (await stallMs(page)));
    const stored = await storedEvents(stage.server, id);
    expect(stored.filter((kind) => kind === "SESSION_START")).toHaveLength(1);
    expect(stored.filter((kind) => kind === "SESSION_END" || kind === "SESSION_ERROR")).toEqual([]);
    expect(await seenErrors(page)).toEqual([]);
  },
);

base("a weak connection is named, with what the visitor can do", async () => {
  const page = await open({ lossPercent: 9 });
  await openAvatar(page, stage.site.origin);
  const badge = avatar(page).locator("[part=nameplate]");
  await expect(badge).toContainText("Weak connection");
  await expect(avatar(page).getByRole("status").first()).toContainText("Move closer to your Wi-Fi");
  await avatar(page).getByRole("button", { name: "Go on in writing" }).click();
  await expect(avatar(page).getByRole("textbox")).toBeVisible();
});

base("a network that is lost with the first frame: reconnecting is shown until it returns", async () => {
  const page = await open();
  const id = await openAvatar(page, stage.site.origin);
  const failed = page.waitForEvent("requestfailed");
  stage.link.cut();
  await page.context().setOffline(true);
  await untilState(page, "reconnecting");
  await failed;
  expect(await seenErrors(page)).toEqual([]);
  stage.link.mend();
  await page.context().setOffline(false);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(id);
});

base(
  "offline and online: the client reconnects as soon as the network returns, and a question asked meanwhile is sent and answered",
  async () => {
    const page = await open();
    // The modules for answering and for recovery are fetched half a second after the first frame.
    const loaded = Promise.all(["recovery", "turns"].map((module) => untilModule(page, module)));
    const id = await openAvatar(page, stage.site.origin);
    await loaded;
    stage.link.cut();
    await page.context().setOffline(true);
    await untilState(page, "reconnecting");
    await ask(page, "How much is the Alder reading chair?");
    await expect
      .poll(() => transcript(page))
      .toContain("visitor: How much is the Alder reading chair? (waiting)");
    await expect.poll(() => panelText(page)).toMatch(/[2-9] of 12/);
    await forgetStalls(page);
    stage.link.mend();
    await page.context().setOffline(false);
    await untilState(page, "live");
    const onlineMs = await timeOf(page, "online");
    expect((await timeOf(page, "exchange", onlineMs)) - onlineMs).toBeLessThan(1_000 + (await stallMs(page)));
    expect(await sessionId(page)).toBe(id);
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(finalAnswer);
    expect(await transcript(page)).toContain("visitor: How much is the Alder reading chair? (final)");
    expect(await seenErrors(page)).toEqual([]);
  },
);

base(
  "when only the path to the visitor is lost, pings detect it, and the same session continues when it is back",
  async () => {
    const page = await open();
    const id = await openAvatar(page, stage.site.origin);
    stage.link.cut("to-visitor");
    await untilState(page, "reconnecting");
    stage.link.mend();
    await untilState(page, "live");
    expect(await sessionId(page)).toBe(id);
    const heard = untilAudible(page);
    await ask(page, "Do you deliver to Austria?");
    await heard;
  },
);

base("a frozen picture while the voice goes on is a fault: a new connection brings it back", async () => {
  const page = await open();
  const id = await openAvatar(page, stage.site.origin);
  stage.link.cut("large-udp-to-visitor");
  await untilState(page, "reconnecting");
  stage.link.mend();
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(id);
  const frames = (): Promise<number> =>
    page.evaluate(
      () =>
        document
          .querySelector("visavis-avatar")!
          .shadowRoot!.querySelector("video")!
          .getVideoPlaybackQuality().totalVideoFrames,
    );
  const before = await frames();
  await expect.poll(frames).toBeGreaterThan(before + 10);
});

base("where UDP is blocked the avatar is reached through TURN over TCP", async () => {
  base.skip(!hasTurnServer, "coturn (turnserver) is not installed.");
  let turn: TurnServer | undefined;
  try {
    const page = await open({}, async (link) => {
      turn = await startTurnServer(link.hostAddress);
      return { VISAVIS_TURN_URLS: `${turn.url}?transport=tcp`, VISAVIS_TURN_SECRET: turn.secret };
    });
    stage.link.cut("udp");
    await openAvatar(page, stage.site.origin);
    const heard = untilAudible(page);
    await ask(page, "How much is the Alder reading chair?");
    await heard;
    const relayed = await page.evaluate(async () => {
      const connection = window.madeConnections.findLast(
        ({ connectionState }) => connectionState === "connected",
      )!;
      const stats = await connection.getStats();
      const pair = [...stats.values()].find((entry) => entry.type === "candidate-pair" && entry.nominated);
      const local = stats.get(String(pair?.localCandidateId));
      return { type: local?.candidateType, protocol: local?.relayProtocol };
    });
    expect(relayed).toEqual({ type: "relay", protocol: "tcp" });
    expect(await seenStates(page)).toEqual(["connecting", "live"]);
  } finally {
    await turn?.stop();
  }
});

base("where all media is cut the avatar is drawn here and speaks from single requests", async () => {
  const page = await open();
  stage.link.cut("udp");
  await page.goto(stage.site.origin);
  await clickLauncher(page);
  await page.waitForFunction(() => document.querySelector("visavis-avatar")?.state === "live");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(async () => (await captionedWords(page)).join(" ")).toContain("480");
  expect(
    await page.evaluate(() => window.madeConnections.map(({ connectionState }) => connectionState)),
  ).toEqual(["closed"]);
  expect(await seenErrors(page)).toEqual([]);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});
