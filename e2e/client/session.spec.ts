import { expect, test, type Page } from "../support/test.ts";
import type { AvatarSession } from "../../src/client/index.ts";
import { recordConnections } from "../support/page-records.ts";
import { pageScript } from "../support/page-script.ts";
import { patience } from "../support/patience.ts";
import { useServer } from "../support/served-site.ts";

/** The session without user interface, in a real browser against the real relay, service and media. */
declare global {
  interface Window {
    session: AvatarSession;
    /** What the session reported, as "name: what". */
    told: string[];
    /** Ends the server's media processes. */
    killMedia(): Promise<void>;
  }
}

let code = "";
// A test ends its media processes.
const served = useServer({ env: {} });

test.beforeAll(async () => {
  code = await pageScript("client");
});

async function openSession(page: Page): Promise<void> {
  await recordConnections(page);
  await page.goto(`${served.server.origin}/healthz`);
  await page.evaluate(`${code}; window.visavisClient = visavisClient`);
  await page.evaluate((relay) => {
    const told: string[] = [];
    const session = window.visavisClient.createAvatarSession({ relay, contextId: "ctx_demo" });
    Object.assign(window, { told, session });
    const note = (line: string): void => void told.push(line);
    session.on("statechange", ({ state }) => note(`state: ${state}`));
    session.on("progress", ({ step }) => note(`progress: ${step}`));
    session.on("caption", ({ word }) => note(`caption: ${word}`));
    session.on("error", (error) => note(`error: ${error.code}`));
  }, served.server.origin);
}

const run = <T>(page: Page, action: (own: Window) => T | Promise<T>): Promise<T> =>
  page.evaluate(`(${action.toString()})(window)`);

const start = (page: Page): Promise<void> => run(page, (own) => own.session.start());

async function untilTold(page: Page, line: string): Promise<void> {
  await page.waitForFunction((wanted) => window.told.includes(wanted), line, {
    polling: 50,
    timeout: patience,
  });
}

const untilLive = (page: Page): Promise<void> =>
  expect.poll(() => run(page, (own) => own.session.state)).toBe("live");

async function requestsDuring(page: Page, action: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  const note = (request: { method(): string; url(): string }): void => {
    paths.push(
      `${request.method()} ${new URL(request.url()).pathname.replace(/ses_\w+|[0-9a-f-]{32,36}/, "ID")}`,
    );
  };
  page.on("request", note);
  await action();
  page.off("request", note);
  return paths;
}

test("one request leads from start to live, and the greeting is captioned word by word", async ({ page }) => {
  await openSession(page);
  await run(page, (own) => own.session.loadContext());
  await run(page, (own) => own.session.prepare());
  const requests = await requestsDuring(page, () => start(page));
  expect(requests.filter((request) => !request.includes("/event"))).toEqual(["POST /embed/v1/sessions"]);
  const told = await run(page, (own) => own.told);
  expect(told.filter((line) => !line.startsWith("caption"))).toEqual([
    "state: connecting",
    "progress: room",
    "progress: avatar",
    "progress: sound",
    "state: live",
  ]);
  const greeting = await run(page, (own) => own.session.transcript[0]!.text);
  await untilTold(page, `caption: ${greeting.split(" ").at(-1)!}`);
  const captions = (await run(page, (own) => own.told)).filter((line) => line.startsWith("caption"));
  expect(captions).toEqual(greeting.split(" ").map((word) => `caption: ${word}`));
  await run(page, (own) => own.session.end());
});

test("an ICE restart keeps the same peers, and the picture goes on", async ({ page }) => {
  await page.addInitScript(() => {
    // An attempt that a busy machine delays is not made again.
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms * 20);
  });
  await openSession(page);
  await start(page);
  // The browser sees its path as failed until the restart asks the service.
  let exchanges = 0;
  await page.route("**/exchange", async (route) => {
    exchanges += 1;
    await run(page, (own) => void Reflect.deleteProperty(own.madeConnections[0]!, "connectionState"));
    await route.continue();
  });
  await run(page, (own) => {
    const connection = own.madeConnections[0]!;
    Object.defineProperty(connection, "connectionState", { get: () => "failed", configurable: true });
    connection.onconnectionstatechange?.(new Event("connectionstatechange"));
  });
  await untilTold(page, "state: reconnecting");
  await untilLive(page);
  expect(exchanges).toBe(1);
  expect(await run(page, (own) => own.madeConnections.length)).toBe(1);
  const frames = (): Promise<number> =>
    run(page, (own) => own.session.mediaElement!.getVideoPlaybackQuality().totalVideoFrames);
  const before = await frames();
  await expect.poll(frames).toBeGreaterThan(before + 2);
  await run(page, (own) => own.session.end());
});

test("when a media process dies in mid-sentence, the same session continues and says the rest", async ({
  page,
}) => {
  await openSession(page);
  await start(page);
  const id = await run(page, (own) => own.session.sessionId);
  await page.exposeFunction("killMedia", () => {
    for (const pid of served.server.mediaPids()) process.kill(pid, "SIGKILL");
  });
  await run(page, (own) => {
    own.session.interrupt();
    const stop = own.session.on("caption", ({ word }) => {
      if (word !== "three") return;
      stop();
      void own.killMedia();
    });
    own.session.say(
      "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen.",
    );
    own.session.say("Done.");
  });
  await untilTold(page, "state: reconnecting");
  await untilTold(page, "caption: Done.");
  await untilLive(page);
  expect(await run(page, (own) => own.session.sessionId)).toBe(id);
  expect(await run(page, (own) => own.told.filter((line) => line.startsWith("error")))).toEqual([]);
  await expect
    .poll(() =>
      run(page, (own) => own.madeConnections.filter((made) => made.signalingState !== "closed").length),
    )
    .toBe(1);
  await run(page, (own) => own.session.end());
});

test("a service that is not directly reachable is reached through the session's ICE servers", async ({
  page,
}) => {
  await page.route("**/embed/v1/contexts/ctx_demo", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), direct: false } });
  });
  await openSession(page);
  await run(page, (own) => own.session.loadContext());
  const requests = await requestsDuring(page, () => start(page));
  expect(requests[0]).toBe("POST /embed/v1/sessions");
  expect(requests.filter((request) => request.endsWith("/exchange"))).toHaveLength(1);
  await untilLive(page);
  await run(page, (own) => own.session.end());
});

test("when the first path does not work, another one is found before an error is reported", async ({
  page,
}) => {
  await page.route("**/embed/v1/sessions", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { server_sdp: { sdp: string } };
    answer.server_sdp.sdp = answer.server_sdp.sdp.replace(/a=candidate:.*\r?\n/g, "");
    await route.fulfill({ response, json: answer });
  });
  await openSession(page);
  await start(page);
  await untilLive(page);
  await run(page, (own) => own.session.end());
});

test("sessions that are disposed at any moment of their start leave no peer connection and no session", async ({
  page,
}) => {
  await openSession(page);
  const moments = await run(page, async (own) => {
    let note = (_moment: string): void => undefined;
    const { fetch: native } = own;
    own.fetch = async (...request) => {
      const { method, url } = new Request(...request);
      const name = `${method} ${url.replace(/ses_\w+|[0-9a-f-]{32,36}/, "ID")}`;
      note(`${name} is asked`);
      const answer = await native(...request);
      note(`${name} is answered`);
      return answer;
    };
    /** Starts a session. `handle` is told each moment of it. */
    const start = async (handle: (moment: string, session: AvatarSession) => void): Promise<void> => {
      const session = own.visavisClient.createAvatarSession({
        relay: location.origin,
        contextId: "ctx_demo",
      });
      note = (moment) => handle(moment, session);
      session.on("statechange", ({ state }) => note(state));
      session.on("progress", ({ step }) => note(step));
      const starting = session.start().catch(() => undefined);
      note("start");
      await starting;
      note = () => undefined;
      session.dispose();
    };
    const all = new Set<string>();
    await start((moment) => all.add(moment));
    for (const wanted of all) await start((moment, session) => moment === wanted && session.dispose());
    return [...all];
  });
  expect(moments).toEqual(expect.arrayContaining(["start", "connecting", "room", "avatar", "sound", "live"]));
  await expect
    .poll(() =>
      run(page, (own) => own.madeConnections.filter((made) => made.signalingState !== "closed").length),
    )
    .toBe(0);
  const count = (pattern: RegExp): number => served.server.output().match(pattern)?.length ?? 0;
  // The service may still be creating the last ones.
  await expect.poll(() => count(/"message":"session created"/g) - count(/"to":"TERMINATED"/g)).toBe(0);
});
