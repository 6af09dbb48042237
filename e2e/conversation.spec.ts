import { expect, test } from "./support/test.ts";
import {
  captionedWords,
  receivedAudioEnergy,
  recordConnections,
  recordEvents,
  untilAudible,
} from "./support/page-records.ts";
import { difference, pictureOf } from "./support/picture.ts";
import { useSite } from "./support/served-site.ts";
import { sessionView, storedEvents } from "./support/service-api.ts";
import { askAndWait, transcript, untilActivity } from "./support/talk.ts";
import {
  clickLauncher,
  endSession,
  sessionId,
  stageFrame,
  untilFirstFrame,
  untilState,
  withPicture,
} from "./support/widget.ts";
import { sampleMouthAndSound } from "./support/lips.ts";

const served = useSite({
  // The greeting is heard as long as a test needs it.
  change: (context) => (context["greeting"] = "Hello, I’m Mara."),
  attributes: withPicture,
});

test("a conversation on a page of another origin, from the click to the normal end", async ({ page }) => {
  const policyFaults: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) policyFaults.push(message.text());
  });
  await recordConnections(page);
  await recordEvents(page);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);

  const first = await pictureOf(page, stageFrame(page));

  await test.step("the greeting is heard", async () => {
    await expect.poll(() => captionedWords(page)).toContain("Mara.");
    await untilActivity(page, "idle");
    expect(await receivedAudioEnergy(page)).toBeGreaterThan(0);
  });

  await test.step("the lips move with the voice", async () => {
    const lips = await sampleMouthAndSound(page, "The Alder chair is only sixty eight centimetres wide.");
    expect(lips.motionWhileLoud).toBeGreaterThan(2 * lips.motionWhileQuiet);
  });

  await test.step("the picture moves", async () => {
    await expect
      .poll(async () => difference(first, await pictureOf(page, stageFrame(page))))
      .toBeGreaterThan(0.001);
  });

  await test.step("a question is answered in text and speech", async () => {
    const heard = untilAudible(page);
    await askAndWait(page, "How much is the Alder reading chair?");
    await heard;
    const said = await transcript(page);
    expect(said).toContain("visitor: How much is the Alder reading chair? (final)");
    expect(said.at(-1)).toMatch(/^avatar: .*480 euros/);
    expect((await captionedWords(page)).length).toBeGreaterThan(3);
  });

  const id = await sessionId(page);
  await endSession(page);
  await untilState(page, "ended");

  await expect
    .poll(() => sessionView(served.server, id))
    .toMatchObject({ status: "TERMINATED", termination_reason: "GRACEFUL_TERMINATION" });
  const kinds = (await storedEvents(served.server, id)).filter((kind) => /START|DURING|END|ERROR/.test(kind));
  expect(kinds[0]).toBe("SESSION_START");
  expect(kinds.at(-1)).toBe("SESSION_END");
  expect(kinds.slice(1, -1).filter((kind) => kind !== "SESSION_DURING")).toEqual([]);
  expect(policyFaults).toEqual([]);
});
