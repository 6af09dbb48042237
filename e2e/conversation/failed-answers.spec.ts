/** A visitor always learns whether a question was answered: in the transcript, in the caption bar, and by a screen reader. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, type Page } from "../support/test.ts";
import {
  breaksAfter,
  putEntry,
  refuses,
  says,
  startScriptedModel,
  streams,
  type ModelAnswer,
  type ScriptedModel,
} from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext, prepareContext } from "../support/service-api.ts";
import { ask, openAvatar, transcript, untilActivity } from "../support/talk.ts";
import { avatar } from "../support/widget.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  await prepareContext(served, (context) => {
    context.embed_config["ui"] = { contact_url: "mailto:help@shop.example" };
  });
});
test.afterAll(() => model.close());

const question = "Does it fit?";
const failed = "couldn’t answer that";

const captionBar = (page: Page) => avatar(page).locator("[part~=words]");
const toldToScreenReaders = (page: Page) => avatar(page).locator(".vv-sr[role=status]");

async function openTranscript(page: Page): Promise<void> {
  await avatar(page).locator(".vv-btn.main").click();
  await avatar(page).locator("[part~=transcript]").waitFor();
}

const failures: Record<string, ModelAnswer> = {
  "a refused key (401)": refuses(401),
  "too many requests (429)": refuses(429),
  "an error of its own (500)": refuses(500),
  "an empty answer": streams("data: [DONE]\n\n"),
  "broken JSON": streams('data: {"choices":[{"delta":{"content":"Yes\n\n'),
};

for (const [name, failure] of Object.entries(failures))
  test(`a model with ${name}: the question is shown as not answered, and can be asked again`, async ({
    page,
  }) => {
    model.answer = failure;
    await openAvatar(page, served.site.origin);
    await ask(page, question);
    await expect(captionBar(page)).toContainText(failed);
    await expect(toldToScreenReaders(page)).toContainText(failed);
    await expect(captionBar(page).getByRole("link", { name: "Contact us" })).toHaveAttribute(
      "href",
      "mailto:help@shop.example",
    );
    await openTranscript(page);
    const log = avatar(page).locator("[part~=transcript]");
    await expect(log).toContainText(failed);
    model.answer = says("It does.");
    await log.getByRole("button", { name: "Ask again" }).click();
    await expect(log).toContainText("It does.");
    await expect(log).not.toContainText(failed);
    await expect
      .poll(async () => (await transcript(page)).slice(-2))
      .toEqual([`visitor: ${question} (final)`, "avatar: It does. (final)"]);
  });

test("an answer that breaks off in the middle keeps its text and is marked as cut off", async ({ page }) => {
  let cut = (): void => undefined;
  model.answer = breaksAfter(
    "It is sixty-eight centimetres wide. And then",
    new Promise((resolve) => (cut = resolve)),
  );
  await openAvatar(page, served.site.origin);
  await ask(page, question);
  await expect.poll(async () => (await transcript(page)).at(-1)).toContain("It is sixty-eight");
  cut();
  await expect
    .poll(() => transcript(page))
    .toContain("avatar: It is sixty-eight centimetres wide. And then (cut)");
  await expect(captionBar(page)).toContainText("The answer was cut off.");
  await expect(toldToScreenReaders(page)).toContainText("The answer was cut off.");
  await openTranscript(page);
  const log = avatar(page).locator("[part~=transcript]");
  await expect(log.locator(".vv-cut").last()).toHaveText("The answer was cut off.");
  // Asked while it is spoken, it would be interrupted too, and keep only what was spoken.
  await untilActivity(page, "idle");
  model.answer = says("It fits.");
  await log.getByRole("button", { name: "Ask again" }).click();
  await expect(log).toContainText("It fits.");
  expect(await transcript(page)).toContain("avatar: It is sixty-eight centimetres wide. And then (cut)");
});

const unspoken = "I can only write this one.";

test("an answer in a language that the voice cannot speak is written, and the panel says so", async ({
  page,
}) => {
  model.answer = says("네, 올더 의자는 폭이 68센티미터입니다.");
  await openAvatar(page, served.site.origin);
  await ask(page, question);
  await expect(captionBar(page)).toContainText("올더 의자는");
  await expect(captionBar(page)).toContainText(unspoken);
  await expect(toldToScreenReaders(page)).toContainText(unspoken);
  await openTranscript(page);
  await expect(avatar(page).locator("[part~=transcript]")).toContainText(unspoken);
});

test("a voice that fails: the text is there, and the panel says that it can only be read", async ({
  page,
}) => {
  const voice = createServer((_request, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => voice.listen(0, "127.0.0.1", resolve));
  const { port } = voice.address() as AddressInfo;
  await putEntry(served.server, "tts-type", {
    name: "broken_voice",
    service: "onpremise",
    engine: { type: "openai", base_url: `http://127.0.0.1:${port}/v1`, model: "m", voice: "v" },
  });
  await changeContext(served, (context) => (context["tts_type"] = "broken_voice"));
  model.answer = says("It does fit.");
  await openAvatar(page, served.site.origin);
  await ask(page, question);
  await expect(captionBar(page)).toContainText("It does fit.");
  await expect(captionBar(page)).toContainText(unspoken);
  voice.close();
});
