import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../../support/test.ts";
import { changed, portrait } from "../../support/portrait.ts";
import {
  callService,
  expectAccessible,
  expectNoSidewaysScrolling,
  expectStatus,
  loopSounds,
  pageProblems,
  signIn,
  useConsole,
} from "../../console/console-fixture.ts";
import { makeContext } from "../../console/editor-fixture.ts";
import { invited } from "../../console/invite.ts";
import {
  choose,
  face,
  give,
  openPhotos,
  picture,
  png,
  save,
  sentBy,
  untilMade,
  untilMoved,
  withCamera,
} from "../../console/photo-fixture.ts";

/** Making a face takes the models several seconds: what needs another one is in `e2e/release/photo-page.spec.ts`. */
const console_ = useConsole();

/** Everything that the service has stored of photographs. */
const stored = (): string[] =>
  readdirSync(join(console_.server.dataFolder, "files"))
    .filter((name) => name.startsWith("photo-"))
    .sort();

const styleOf = async (id: string): Promise<string> => {
  const context = await callService(console_.server, "GET", `/api/console/b2c/contexts/${id}/`);
  return ((await context.json()) as { model_style: string }).model_style;
};

test("a picture becomes a face that speaks, is saved with consent, given to an avatar, and removed", async ({
  page,
}) => {
  test.slow();
  const problems = pageProblems(page);
  await loopSounds(page);
  const requests = sentBy(page);
  const before = stored();
  const context = await makeContext(console_.server, { name: "Photo shop" });

  await test.step("reached from the avatars, without loading the models", async () => {
    await signIn(page, console_.server, "/avatars");
    await page.getByRole("link", { name: "A face from a photograph" }).click();
    await expect(page.getByText("The picture stays in this browser.")).toBeVisible();
    expect(requests.filter((request) => /mediapipe|photo-maker/.test(request.url()))).toEqual([]);
  });

  await test.step("made and looked at", async () => {
    await choose(page, picture(png("amara")));
    await untilMade(page);
    for (const line of ["One face", "Even light", "Mouth closed, eyes open"])
      await expect(page.getByRole("listitem").filter({ hasText: line })).toContainText("good");
    await untilMoved(face(page));
    await page.getByRole("button", { name: "Blink" }).click();
    await page.getByRole("button", { name: "Turn the head" }).click();
    await untilMoved(face(page));
  });

  await test.step("says a sentence in a voice of the service", async () => {
    const sample = page.waitForResponse((response) => response.url().endsWith("/api/console/speech-sample/"));
    await page.getByRole("button", { name: "Say it" }).click();
    expect((await sample).status()).toBe(200);
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    await untilMoved(face(page));
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByRole("button", { name: "Say it" })).toBeVisible();
  });

  await test.step("framed in another way, with its background", async () => {
    // Beyond the side, where a kept background fades out.
    const corner = (): Promise<number> =>
      face(page).evaluate((canvas) =>
        canvas instanceof HTMLCanvasElement
          ? (canvas.getContext("2d")?.getImageData(32, 40, 1, 1).data[3] ?? -1)
          : -1,
      );
    expect(await corner()).toBe(0);
    await page.getByLabel("Keep what is behind the person").check();
    await expect.poll(corner).toBe(255);
    await page.getByRole("button", { name: "Head", exact: true }).click();
    await expect(page.getByRole("button", { name: "Head", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await untilMade(page);
  });

  await test.step("usable with screen readers, in narrow windows and in dark colours", async () => {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScrolling(page);
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("not left without a question", async () => {
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await page.getByRole("link", { name: "Back to avatars" }).click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await expect(dialog).toHaveCount(0);
    await untilMade(page);
  });

  await test.step("saved only with a statement", async () => {
    await page.getByLabel("Name", { exact: true }).fill("Anna");
    await page.getByRole("button", { name: "Save the face" }).click();
    expect(stored()).toEqual(before);
    await save(page, "Anna");
    expect(stored()).toHaveLength(before.length + 4);
  });

  await test.step("given to an avatar", async () => {
    await page.getByLabel("Give it to").selectOption(context.id);
    await page.getByRole("button", { name: "Open the editor" }).click();
    await expect(page.getByRole("radio", { name: "Anna" })).toBeChecked();
    expect(new URL(page.url()).hash).not.toContain("face=");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => styleOf(context.id)).toBe("anna");
  });

  await test.step("listed with who stated what, and removed with everything", async () => {
    await page.getByRole("link", { name: "Your photo" }).click();
    const entry = page.getByRole("listitem").filter({ hasText: "Anna" });
    await expect(entry).toContainText("Stated by Anna Berg");
    await expect(entry).toContainText("The photograph shows me, and I am an adult.");
    await expect(entry).toContainText("Shown by Mara");
    await entry.getByRole("button", { name: "Remove Anna" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove Anna?" });
    await expect(dialog).toContainText("Mara will have a drawn face.");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expectStatus(page, "Anna is removed.");
    expect(stored()).toEqual(before);
    await expect(entry).toHaveCount(0);
    await page.getByRole("link", { name: "Back to the editor" }).click();
    await expect(page.getByRole("radio", { name: "Anna" })).toHaveCount(0);
    // A drawn face is in its place.
    await expect(
      page.getByRole("radiogroup", { name: "Face" }).getByRole("radio", { checked: true }),
    ).toHaveCount(1);
  });
  expect(problems).toEqual([]);
});

test("pictures that cannot be used are refused with plain advice, and nothing is stored", async ({
  page,
}) => {
  await openPhotos(page, console_.server);
  const requests = sentBy(page);
  const before = stored();
  await test.step("no picture", async () => {
    await choose(page, picture(Buffer.from("a text"), "notes.png"));
    await expect(page.getByText("This file is not a picture that can be read.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save the face" })).toHaveCount(0);
  });
  await test.step("an open mouth in the dark: each has its advice, the rest is good", async () => {
    await page.getByRole("button", { name: "Choose another" }).click();
    await expect(page.getByRole("heading", { name: "Your photograph" })).toBeFocused();
    const mina = portrait("mina", { side: 900, params: { visemeWeights: { aa: 1 } } });
    const dark = changed(mina, (context, side) => {
      context.drawImage(mina, 0, 0);
      context.fillStyle = "rgba(0,0,0,0.75)";
      context.fillRect(0, 0, side, side);
    });
    await choose(page, picture(dark.toBuffer("image/png")));
    const refusal = page.getByText("This photograph can’t be used.");
    await expect(refusal).toBeVisible();
    await expect(page.getByText("Close your mouth.")).toBeVisible();
    await expect(page.getByText("More light from the front.")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "One face" })).toContainText("good");
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScrolling(page);
  });
  expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
  expect(stored()).toEqual(before);
});

test("a file may be dropped anywhere on the page, but nothing is taken from an address", async ({ page }) => {
  await openPhotos(page, console_.server);
  expect(await give(page, "drop", { address: "https://pictures.example/face.jpg" })).toBe(false);
  await expectStatus(page, "Only files of this device can be used.");
  expect(await give(page, "paste", {})).toBe(true);
  expect(await give(page, "drop", { file: Buffer.from("a text") })).toBe(false);
  await expect(page.getByText("This file is not a picture that can be read.")).toBeVisible();
});

test("a camera that is not allowed is explained, and closing the dialog leads back", async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("No.", "NotAllowedError"));
  });
  await openPhotos(page, console_.server);
  const button = page.getByRole("button", { name: "Take a picture" });
  await button.click();
  await expect(page.getByText("The browser doesn’t let this page use the camera.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("a camera that is unplugged is explained, and no picture of it can be taken", async ({ page }) => {
  await withCamera(page, png("mina"));
  await openPhotos(page, console_.server);
  await page.getByRole("button", { name: "Take a picture" }).click();
  const take = page.getByRole("button", { name: "Take it" });
  await expect(take).toBeEnabled();
  await page.evaluate(() => window.unplug?.());
  await expect(page.getByText("The camera can’t be used now.")).toBeVisible();
  await expect(take).toHaveCount(0);
});

test("is for those who may change avatars", async ({ page, browser }) => {
  await signIn(page, console_.server);
  const viewer = await invited(console_.server, page, browser, "viewer", "Vera");
  await viewer.goto(`${console_.server.origin}/console/#/avatars`);
  await expect(viewer.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  await expect(viewer.getByRole("link", { name: "A face from a photograph" })).toHaveCount(0);
  await viewer.goto(`${console_.server.origin}/console/#/avatars/photo`);
  await expect(viewer.getByText("Your role does not show this page.")).toBeVisible();
  await viewer.context().close();
});
