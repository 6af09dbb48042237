/** Where the avatar's voice cannot speak a text's language, another voice of the catalogue that can speaks this text. */
import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { captionedWords, recordConnections, recordEvents, untilAudible } from "../support/page-records.ts";
import { putEntry, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { startSpeechServer, type SpeechServer } from "../support/speech-server.ts";
import { ask, openAvatar, panelText, transcript, untilActivity } from "../support/talk.ts";
import { snippet } from "../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/en": hostPage(snippet(relayOrigin, context)),
    "/de": hostPage(snippet(relayOrigin, context, 'data-lang="de"')),
  }),
});

/** The languages of the other voices. The demo context's own speaks English. */
const languages = ["ko-KR", "de-DE"] as const;
const voices = new Map<string, SpeechServer>();
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  for (const language of languages) {
    const voice = await startSpeechServer();
    voices.set(language, voice);
    await putEntry(served.server, "tts-type", {
      name: `voice_${language.slice(0, 2)}`,
      service: "onpremise",
      voice_extra_data: { language },
      engine: { type: "openai", base_url: voice.baseUrl, model: "m", voice: "v" },
    });
  }
});

test.afterAll(() => {
  model.close();
  for (const voice of voices.values()) voice.close();
});

const cases = [
  {
    what: "an answer in another script",
    path: "/en",
    language: "ko-KR",
    answer: "네, 작은 방에도 아주 잘 어울립니다.",
    word: "방에도",
    unspoken: "I can only write this one.",
  },
  {
    what: "an answer in the language of the visitor's page, in the same letters",
    path: "/de",
    language: "de-DE",
    answer: "Ja, dieser Sessel passt auch sehr gut in ein kleines Zimmer.",
    word: "Sessel",
    unspoken: "nur schreiben",
  },
] as const;

for (const { what, path, language, answer, word, unspoken } of cases)
  test(`${what} is spoken by a voice of its language, the next one by the avatar's own`, async ({ page }) => {
    await recordConnections(page);
    await recordEvents(page);
    await openAvatar(page, served.site.origin + path);
    await untilActivity(page, "idle");
    model.answer = says(answer);
    const heard = untilAudible(page);
    await ask(page, "Does it fit?");
    await heard;
    await expect.poll(() => captionedWords(page)).toContain(word);
    await untilActivity(page, "idle");
    expect(voices.get(language)?.texts.join(" ")).toContain(word);
    expect((await transcript(page)).at(-1)).toBe(`avatar: ${answer} (final)`);
    expect(await panelText(page)).not.toContain(unspoken);

    model.answer = says("The Alder chair is the one with the oak legs.");
    await ask(page, "Which one was it?");
    await expect.poll(() => captionedWords(page)).toContain("Alder");
    await untilActivity(page, "idle");
    for (const voice of voices.values()) expect(voice.texts.join(" ")).not.toContain("Alder");
  });
