import { expect, test } from "../../support/test.ts";
import { hear, soundOf } from "../../support/fake-microphone.ts";
import { seenEvents } from "../../support/page-records.ts";
import { says, startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import { prepareContext } from "../../support/service-api.ts";
import { transcript } from "../../support/talk.ts";
import { tonePages } from "../../support/tone-pages.ts";
import { addToneRecognizer, loadRecognizer, voiced } from "../../support/tone-recognizer.ts";
import { avatar, sessionId, type AvatarElement } from "../../support/widget.ts";

let model: ScriptedModel;

const pages = tonePages(async (place) => {
  const words = ["do", "you", "deliver", "today"];
  await addToneRecognizer(place.server, { name: "ears", locale: "en", words });
  model = await startScriptedModel(place);
  await prepareContext(place, (context) => {
    context["greeting"] = "";
    context.embed_config["stt_type"] = "ears";
    // The visitor goes on within it.
    context.embed_config["voice"] = { pause_ms: 3_000 };
  });
  return undefined;
});

test.afterAll(() => model.close());

test("the answer to a visitor who pauses and goes on is discarded, and the whole question is answered once", async ({
  page,
}) => {
  let discarded = 0;
  model.answer = (response) => {
    const asked = model.requests.at(-1)?.messages.at(-1)?.content;
    if (asked !== "do you deliver") {
      says("Yes, until eight.")(response);
      return;
    }
    // An answer that has begun, and takes long.
    response.on("close", () => discarded++);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"We deliver everywhere. "}}]}\n\n');
  };
  await pages.openTo(page);
  await loadRecognizer(pages.server, await sessionId(page));
  await avatar(page).evaluate((element: AvatarElement) => element.listen());
  const [question, rest] = [await soundOf(voiced(0, 1, 2)), await soundOf(voiced(3))];
  await hear(page, question);
  // The answer has begun when the visitor goes on.
  await expect.poll(() => model.requests.length).toBe(1);
  await hear(page, rest);
  await expect
    .poll(() => transcript(page))
    .toEqual(["visitor: do you deliver today (final)", "avatar: Yes, until eight. (final)"]);
  const asked = model.requests.map(({ messages }) => messages.at(-1)?.content);
  // The whole question was asked once, also early: its answer was only taken at the turn's end.
  expect(asked).toEqual(["do you deliver", "do you deliver today"]);
  await expect.poll(() => discarded).toBe(1);
  expect(JSON.stringify(await seenEvents(page))).not.toContain("everywhere");
});
