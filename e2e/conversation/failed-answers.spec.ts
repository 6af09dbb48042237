/** A visitor always learns whether a question was answered, and hears of a model that takes long. */
import { expect, test, type Page } from "../support/test.ts";
import { refuses, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { prepareContext } from "../support/service-api.ts";
import { ask, openAvatar, transcript } from "../support/talk.ts";
import { avatar } from "../support/widget.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  // A busy machine may take long to look at what it waits for.
  model = await startScriptedModel(served, { first_byte_sec: 300 });
  await prepareContext(served, (context) => {
    context.embed_config["ui"] = { contact_url: "mailto:help@shop.example" };
  });
});
test.afterAll(() => model.close());

/** Sets how fast the page's animations go, which count the seconds of a wait. */
async function setPace(page: Page): Promise<(playbackRate: number) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Animation.enable");
  return (playbackRate) => devtools.send("Animation.setPlaybackRate", { playbackRate });
}

test("a question without an answer can be asked again, and one whose answer takes longer than 8 s can be taken back", async ({
  page,
}) => {
  const failed = "couldn’t answer that";
  const captions = avatar(page).locator("[part~=words]");
  const log = avatar(page).locator("[part~=transcript]");
  let isLeft = false;
  const thinks = (): void => {
    isLeft = false;
    model.answer = (response) => response.on("close", () => (isLeft = true));
  };
  await openAvatar(page, served.site.origin);
  const pace = await setPace(page);

  /** Asks what the model thinks about for long, and interrupts it once that was said. */
  const interruptSlowAnswer = async (place: typeof log): Promise<void> => {
    const word = place.getByText("This takes longer than usual.");
    thinks();
    await pace(0);
    await ask(page, "Is it heavy?");
    await expect(word).toBeAttached();
    await expect(word).toBeHidden();
    await pace(20);
    await expect(word).toBeVisible();
    await place.getByRole("button", { name: "Interrupt" }).click();
    await expect(word).toHaveCount(0);
    // The model need not go on either.
    await expect.poll(() => isLeft).toBe(true);
    await pace(1);
  };

  await test.step("a slow answer, in the captions", () => interruptSlowAnswer(captions));

  await test.step("no answer, in the captions and to screen readers", async () => {
    model.answer = refuses(500);
    await ask(page, "Does it fit?");
    await expect(captions).toContainText(failed);
    await expect(avatar(page).locator(".vv-sr[role=status]")).toContainText(failed);
    await expect(captions.getByRole("link", { name: "Contact us" })).toHaveAttribute(
      "href",
      "mailto:help@shop.example",
    );
  });

  await test.step("no answer, in the transcript, and asked again", async () => {
    await avatar(page).locator(".vv-btn.main").click();
    await expect(log).toContainText(failed);
    model.answer = says("It does.");
    await log.getByRole("button", { name: "Ask again" }).last().click();
    await expect(log).toContainText("It does.");
    await expect(log).not.toContainText(failed);
    await expect
      .poll(async () => (await transcript(page)).slice(-2))
      .toEqual(["visitor: Does it fit? (final)", "avatar: It does. (final)"]);
  });

  await test.step("a slow answer, in the transcript", () => interruptSlowAnswer(log));
});
