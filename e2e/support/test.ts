import { test as base, type Frame } from "@playwright/test";
import { useFreshConnections } from "./fresh-connections.ts";
import { patience } from "./patience.ts";
import { tolerateSlowDrawing, tolerateSlowLink } from "./slow-machine.ts";
import { noteServerLogs, startLimitMs, startServer, type Server } from "./stack.ts";
import { recordActivities } from "./talk.ts";
import { drawnProject, type AvatarElement } from "./widget.ts";

export * from "@playwright/test";

useFreshConnections();

/** What a worker's tests share. */
interface Shared {
  /** A server of `visavis start`. Tests make contexts of their own on it, and leave the demo contexts as they are. */
  sharedServer: Server;
}

/** The operator's password of the servers under test. */
export const operatorPassword = "a long enough password";

/** Limits that a worker's tests together would reach, and addresses of this machine for the models that tests run themselves. */
const sharedEnvironment = {
  VISAVIS_PASSWORD: operatorPassword,
  VISAVIS_LOGINS_PER_MINUTE: "100000",
  VISAVIS_ALLOW_PRIVATE_ADDRESSES: "1",
  VISAVIS_ADDRESS_READS_PER_MINUTE: "100000",
  VISAVIS_ADDRESS_WRITES_PER_MINUTE: "100000",
  VISAVIS_REFUSALS_PER_ADDRESS: "100000",
  VISAVIS_RELAY_READS_PER_ADDRESS: "100000",
  VISAVIS_RELAY_STARTS_PER_ADDRESS: "10000",
  VISAVIS_RELAY_STARTS_PER_CONTEXT: "10000",
  VISAVIS_RELAY_LIVE_PER_ADDRESS: "1000",
};

/** What is there within a second: a page that a test has broken or stopped does not answer. */
async function withinSecond<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const values: Value[] = [];
  const all = promises.map((promise) => promise.then((value) => values.push(value)));
  await Promise.race([Promise.allSettled(all), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  return values;
}

/** What a frame's avatars are doing and have said, for the report of a failed test. */
const avatarStates = (frame: Frame): Promise<string> =>
  frame.evaluate(() =>
    [...document.querySelectorAll<AvatarElement>("visavis-avatar:defined")]
      .map(({ state, activity, transcript }) => {
        const said = transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`);
        return [`${state}, ${activity}`, ...said.slice(-4)].join("\n  ");
      })
      .join("\n"),
  );

/**
 * Playwright's `test`, with one server for all tests of a worker: starting one takes as much of the processor as a test. Sessions end with
 * their test.
 */
export const test = base.extend<{ serverLogs: undefined }, Shared>({
  sharedServer: [
    async ({}, use) => {
      const server = await startServer("start", sharedEnvironment);
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: startLimitMs + patience },
  ],
  serverLogs: [
    async ({}, use, testInfo) => {
      const logs = noteServerLogs();
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus)
        await testInfo.attach("server log", { body: logs(), contentType: "text/plain" });
    },
    { auto: true },
  ],
  context: async ({ context }, use, testInfo) => {
    await recordActivities(context);
    await tolerateSlowLink(context);
    if (testInfo.project.name === drawnProject) await tolerateSlowDrawing(context);
    await use(context);
    const frames = context.pages().flatMap((page) => page.frames());
    if (testInfo.status !== testInfo.expectedStatus)
      await testInfo.attach("avatars", {
        body: (await withinSecond(frames.map(avatarStates))).join("\n"),
        contentType: "text/plain",
      });
    // A page that is only closed keeps its session, with voice and picture, until the lease ends.
    const ends = frames.map((frame) =>
      frame.evaluate(() =>
        document
          .querySelectorAll<AvatarElement>("visavis-avatar:defined")
          .forEach((element) => void element.end()),
      ),
    );
    await withinSecond(ends);
  },
});
