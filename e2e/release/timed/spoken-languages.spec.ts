import { expect, test } from "../../support/test.ts";
import { soundFile } from "../../support/fake-microphone.ts";
import { seenEvents } from "../../support/page-records.ts";
import { callApi, prepareContext } from "../../support/service-api.ts";
import { transcript } from "../../support/talk.ts";
import { tonePages } from "../../support/tone-pages.ts";
import { addToneRecognizer, voiced } from "../../support/tone-recognizer.ts";
import { avatar, type AvatarElement } from "../../support/widget.ts";

/** What the microphone hears, on all pages the same. */
let file: string;

const pages = tonePages(async (place) => {
  const english = ["can", "pay", "by", "card"];
  await addToneRecognizer(place.server, {
    name: "english-ears",
    locale: "en-US",
    words: english,
    streaming: true,
  });
  const korean = ["카드로", "결제할", "수", "있나요"];
  await addToneRecognizer(place.server, { name: "korean-ears", locale: "ko-KR", words: korean });
  let avatarId = "";
  await prepareContext(place, (context) => {
    avatarId = context.id;
    context["greeting"] = "";
    context.embed_config["stt_type"] = "english-ears";
    context.embed_config["voice"] = { pause_ms: 1_000 };
  });
  const added = await callApi(place.server, "/api/console/knowledge/", {
    method: "POST",
    body: JSON.stringify({
      title: "결제",
      text: "카드로 결제할 수 있습니다.",
      contexts: [avatarId],
    }),
  });
  expect(added.status).toBe(201);
  file = await soundFile({ pauseMs: 2_500 }, voiced(0, 1, 2, 3), { pauseMs: 60_000 });
  return { "/en": "", "/ko": 'data-lang="ko"' };
});

/** A packet that is late may split a tone in two. */
const eachOnce = (text: string): string =>
  text
    .split(" ")
    .filter((word, at, all) => word !== all[at - 1])
    .join(" ");

for (const { path, question, answer } of [
  { path: "/en", question: "can pay by card", answer: "You can pay by card" },
  { path: "/ko", question: "카드로 결제할 수 있나요", answer: "카드로 결제할 수 있습니다" },
])
  test(`a visitor of ${path} is understood in their language, and answered`, async () => {
    const page = await pages.open(file, path);
    await avatar(page).evaluate((element: AvatarElement) => element.listen());
    await expect
      .poll(async () => (await transcript(page)).find((line) => line.startsWith("avatar")))
      .toContain(answer);
    const understood = (await seenEvents(page)).findLast(
      ({ type, detail }) => type === "visavis-transcript" && detail["final"] === true,
    );
    expect(eachOnce(String(understood?.detail["text"]))).toBe(question);
  });
