import { expect, test, type Page } from "../support/test.ts";
import type { AvatarSession } from "../../src/client/index.ts";
import { recordConnections } from "../support/page-records.ts";
import { pageScript } from "../support/page-script.ts";
import { patience } from "../support/patience.ts";
import { useServer } from "../support/served-site.ts";
import { storedEvents, terminationReason } from "../support/service-api.ts";

/** The session without user interface, in a real browser against the real relay, service and media. */
declare global {
  interface Window {
    session: AvatarSession;
    /** What the session reported, as "name: what". */
    told: string[];
    /** Makes a session with a voice alone, and keeps what it reports. */
    makeSession(): AvatarSession;
    /** Lets the browser report the path of the last connection as failed, until it is asked for by `healPath`. */
    failPath(): void;
    healPath(): void;
  }
}

const served = useServer({ change: (context) => (context["greeting"] = "Hello.") });

async function openPage(page: Page): Promise<void> {
  await recordConnections(page);
  await page.goto(`${served.server.origin}/healthz`);
  await page.evaluate(`${await pageScript("client")}; window.visavisClient = visavisClient`);
  await page.evaluate((contextId) => {
    window.makeSession = () => {
      const told: string[] = [];
      const options = { relay: location.origin, contextId, mode: "voice" } as const;
      const session = window.visavisClient.createAvatarSession(options);
      Object.assign(window, { told, session });
      const note = (line: string): void => void told.push(line);
      session.on("statechange", ({ state }) => note(`state: ${state}`));
      session.on("progress", ({ step }) => note(`progress: ${step}`));
      session.on("caption", ({ word }) => note(`caption: ${word}`));
      session.on("error", (error) => note(`error: ${error.code}`));
      return session;
    };
    window.failPath = () => {
      const connection = window.madeConnections.at(-1)!;
      Object.defineProperty(connection, "connectionState", { get: () => "failed", configurable: true });
      connection.onconnectionstatechange?.(new Event("connectionstatechange"));
    };
    window.healPath = () => void Reflect.deleteProperty(window.madeConnections.at(-1)!, "connectionState");
  }, served.context);
}

const start = (page: Page): Promise<void> => page.evaluate(() => window.makeSession().start());
const end = (page: Page): Promise<void> => page.evaluate(() => window.session.end());
const told = (page: Page, kind: string): Promise<string[]> =>
  page.evaluate((wanted) => window.told.filter((line) => line.startsWith(wanted)), kind);
const untilTold = (page: Page, line: string): Promise<unknown> =>
  page.waitForFunction((wanted) => window.told.includes(wanted), line, { polling: 25, timeout: patience });
const openConnections = (page: Page): Promise<number> =>
  page.evaluate(
    () => window.madeConnections.filter(({ signalingState }) => signalingState !== "closed").length,
  );

/** The requests of the page for a session's connection. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/\/(?:sessions|exchange)$/.test(path)) asked.push(path.replace(/^.*\//, ""));
  });
  return asked;
}

test("a start takes one request; a path that fails is restarted with the same peers, or given up with one error after a minute", async ({
  page,
}) => {
  await page.clock.install();
  // An attempt that a busy machine delays is not made again.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms * 20);
  });
  await openPage(page);
  const requests = watchRequests(page);
  await page.evaluate(() => window.makeSession().loadContext());
  await page.evaluate(() => window.session.prepare());
  await page.evaluate(() => window.session.start());
  const id = await page.evaluate(() => window.session.sessionId!);
  expect(requests).toEqual(["sessions"]);
  expect([...(await told(page, "state")), ...(await told(page, "progress"))]).toEqual([
    "state: connecting",
    "state: live",
    "progress: room",
    "progress: avatar",
    "progress: sound",
  ]);
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_START");

  await test.step("ICE restart", async () => {
    await page.route("**/exchange", async (route) => {
      await page.evaluate(() => window.healPath());
      await route.continue();
    });
    await page.evaluate(() => window.failPath());
    await untilTold(page, "state: reconnecting");
    await expect.poll(async () => (await told(page, "state")).at(-1)).toBe("state: live");
    expect(requests).toEqual(["sessions", "exchange"]);
    expect(await page.evaluate(() => window.madeConnections.length)).toBe(1);
    const energy = await page.evaluate(() => window.receivedAudioEnergy());
    await page.evaluate(() => window.session.say("The sound goes on."));
    await expect.poll(() => page.evaluate(() => window.receivedAudioEnergy())).toBeGreaterThan(energy);
    const words = ["The", "sound", "goes", "on."].map((word) => `caption: ${word}`);
    await expect.poll(async () => (await told(page, "caption")).slice(-4)).toEqual(words);
    await page.unrouteAll();
  });

  await test.step("given up", async () => {
    // Every exchange fails, and with the heartbeats the way by single requests that would be the last resort.
    await page.route(/\/(?:exchange|ice-servers|event)$/, (route) =>
      /SESSION_(?:END|ERROR)/.test(route.request().postData() ?? "")
        ? route.continue()
        : route.fulfill({ status: 503 }),
    );
    await page.evaluate(() => window.failPath());
    await expect(async () => {
      await page.clock.fastForward(5_000);
      expect((await told(page, "state")).at(-1)).toBe("state: error");
    }).toPass({ intervals: [100] });
    expect(await told(page, "error")).toEqual(["error: connection_failed"]);
    const ends = async () =>
      (await storedEvents(served.server, id)).filter((kind) => /_END$|_ERROR$/.test(kind));
    await expect.poll(ends).toEqual(["SESSION_ERROR"]);
    expect(await openConnections(page)).toBe(0);
    await page.unrouteAll();
    await page.evaluate(() => window.session.start());
    expect(await page.evaluate(() => window.session.sessionId)).not.toBe(id);
    await end(page);
  });
});

test("other paths are found where the direct one is closed or does not work, and a session disposed at any moment of its start leaves nothing", async ({
  page,
}) => {
  // How long the direct path may take.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms === 4_000 ? 300 : ms);
  });
  await openPage(page);
  const requests = watchRequests(page);
  await test.step("a service that is not directly reachable", async () => {
    await page.route(`**/embed/v1/contexts/${served.context}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), direct: false } });
    });
    await page.evaluate(() => window.makeSession().loadContext());
    await page.evaluate(() => window.session.start());
    expect(requests).toEqual(["sessions", "exchange"]);
    await end(page);
    await page.unrouteAll();
  });

  await test.step("a first path that does not work", async () => {
    await page.route("**/embed/v1/sessions", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { server_sdp: { sdp: string } };
      answer.server_sdp.sdp = answer.server_sdp.sdp.replace(/a=candidate:.*\r?\n/g, "");
      await route.fulfill({ response, json: answer });
    });
    await start(page);
    expect(await told(page, "error")).toEqual([]);
    await end(page);
    await page.unrouteAll();
  });

  await test.step("disposed at any moment", async () => {
    const created: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/sessions") && response.status() === 201)
        created.push(
          response.json().then(({ session }: { session: { session_id: string } }) => session.session_id),
        );
    });
    const moments = ["start", "state: connecting", "progress: room", "progress: avatar", "state: live"];
    const seen = await page.evaluate(async (all) => {
      const reached: string[] = [];
      for (const moment of all) {
        const session = window.makeSession();
        const look = (now: string): void => {
          if (now !== moment) return;
          reached.push(moment);
          session.dispose();
        };
        session.on("statechange", ({ state }) => look(`state: ${state}`));
        session.on("progress", ({ step }) => look(`progress: ${step}`));
        const starting = session.start().catch(() => undefined);
        look("start");
        await starting;
      }
      return reached;
    }, moments);
    expect(seen).toEqual(moments);
    await expect.poll(() => openConnections(page)).toBe(0);
    // The service may still be creating the last ones.
    const reasons = async () =>
      Promise.all(created.map(async (id) => terminationReason(served.server, await id)));
    await expect.poll(reasons).not.toContain(null);
    expect(created.length).toBeGreaterThan(1);
  });
});
