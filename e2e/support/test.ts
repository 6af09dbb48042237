import { test as base, type Frame } from "@playwright/test";
import { useFreshConnections } from "./fresh-connections.ts";
import { tolerateSlowDrawing, tolerateSlowLink } from "./slow-machine.ts";
import { sharedServer } from "./shared-server.ts";
import { noteServerLogs, type Server } from "./stack.ts";
import { recordActivities } from "./talk.ts";
import { drawnProject, type AvatarElement } from "./widget.ts";

export * from "@playwright/test";

useFreshConnections();

/** What all tests share. */
interface Shared {
  /** A server of `visavis start`. Tests make contexts of their own on it, and leave the demo contexts as they are. */
  sharedServer: Server;
}

export { operatorPassword } from "./shared-server.ts";

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

/** Playwright's `test`, with the server that all tests share. Sessions end with their test. */
export const test = base.extend<{ serverLogs: undefined }, Shared>({
  sharedServer: [({}, use) => use(sharedServer()), { scope: "worker" }],
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
