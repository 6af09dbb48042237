import { expect, test } from "../support/test.ts";
import { changed, portrait } from "../support/portrait.ts";
import { recordingProxy } from "../support/recording-proxy.ts";
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  signIn,
  useConsole,
} from "../console/console-fixture.ts";
import { makeContext, showEditor } from "../console/editor-fixture.ts";
import {
  choose,
  face,
  give,
  liveTracks,
  openPhotos,
  picture,
  png,
  save,
  sentBy,
  spoil,
  untilMade,
  untilMoved,
  withCamera,
} from "../console/photo-fixture.ts";

// Without a graphics card the models take their time.
test.describe.configure({ timeout: 900_000 });

const console_ = useConsole();

test("the picture itself does not leave the browser", async ({ page }) => {
  const proxy = await recordingProxy(console_.server.origin);
  try {
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(`${proxy.origin}/`))
        elsewhere.push(request.url());
    });
    await signIn(page, { ...console_.server, origin: proxy.origin }, "/avatars/photo");
    const photograph = png("mina");
    await choose(page, picture(photograph, "holiday-in-graz.png"));
    await untilMade(page);
    await page.getByLabel("Keep what is behind the person").check();
    await untilMade(page);
    await page.getByRole("button", { name: "Say it" }).click();
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    await save(page, "Mina B");

    const bodies = proxy.requests.map(({ body }) => body.toString("latin1"));
    // The layers were sent once, so what is sent is seen here.
    expect(bodies.filter((body) => body.includes('"format":"visavis-photo"'))).toHaveLength(1);
    // Compressed pixels from the middle of the file, as they are and in base64.
    const middle = 3 * Math.floor(photograph.length / 6);
    const part = photograph.subarray(middle, middle + 48);
    const traces = [part.toString("latin1"), part.toString("base64"), "holiday-in-graz"];
    expect(bodies.filter((body) => traces.some((trace) => body.includes(trace)))).toEqual([]);
    expect(proxy.requests.filter(({ path }) => path.includes("holiday"))).toEqual([]);
    expect(elsewhere).toEqual([]);
  } finally {
    await proxy.close();
  }
});

test("from the editor, the face goes to the avatar that it is made for", async ({ page }) => {
  const context = await makeContext(console_.server, { name: "Second shop" });
  await showEditor(page, console_.server, context, "look");
  await page.getByRole("link", { name: "Your photo" }).click();
  await choose(page, picture(png("ingrid")));
  await untilMade(page);
  await save(page, "Ingrid B");
  await expect(page.getByLabel("Give it to")).toHaveValue(context.id);
  await page.getByRole("button", { name: "Open the editor" }).click();
  await expect(page.getByRole("radio", { name: "Ingrid B" })).toBeChecked();
  await expect(page.getByText("1 change not saved").first()).toBeVisible();
});

test("glasses that were found can be said not to be there, and the other way round", async ({ page }) => {
  await openPhotos(page, console_.server);
  await choose(page, picture(png("tomas", { options: { glasses: true } })));
  await untilMade(page);
  const glasses = page.getByLabel("The person wears glasses");
  await expect(glasses).toBeChecked();
  await glasses.uncheck();
  await expect(glasses).toBeEnabled();
  await expect(glasses).not.toBeChecked();
  await expect(page.getByText("No frame of glasses was found.")).toHaveCount(0);
  await page.getByRole("button", { name: "Choose another" }).click();
  await choose(page, picture(png("amara")));
  await untilMade(page);
  await expect(glasses).not.toBeChecked();
  await glasses.check();
  await expect(page.getByText("No frame of glasses was found.")).toBeVisible();
  await expect(glasses).not.toBeChecked();
});

test("a picture is taken with the camera, which is off afterwards", async ({ page }) => {
  await withCamera(page, png("mina"));
  await openPhotos(page, console_.server);
  await page.getByRole("button", { name: "Take a picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Take a picture" });
  await expect(dialog.getByRole("button", { name: "Take it" })).toBeEnabled();
  expect(await liveTracks(page)).toBe(1);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Take it" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => liveTracks(page)).toBe(0);
  await untilMade(page);
});

test("a picture may be dropped anywhere on the page, or pasted, but not taken from an address", async ({
  page,
}) => {
  await openPhotos(page, console_.server);
  expect(await give(page, "drop", { address: "https://pictures.example/face.jpg" })).toBe(false);
  await expect(page.getByText("Only files of this device can be used.")).toBeVisible();
  expect(await give(page, "paste", {})).toBe(true);
  const nobody = changed(portrait("mina", { side: 300 }), (context, side) =>
    context.fillRect(0, 0, side, side),
  ).toBuffer("image/png");
  expect(await give(page, "paste", { file: nobody })).toBe(false);
  await expect(page.getByText("No face was found.")).toBeVisible({ timeout: 600_000 });
  expect(await give(page, "drop", { file: png("mina") })).toBe(false);
  await untilMade(page);
});

test("a face that was not saved is not left without a question", async ({ page }) => {
  await openPhotos(page, console_.server);
  await choose(page, picture(png("amara")));
  await untilMade(page);
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(dialog).toHaveCount(0);
  await untilMoved(face(page));
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  await page.getByRole("link", { name: "A face from a photograph" }).click();
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
});

test("after a failure, another try begins with models that are loaded anew", async ({ page }) => {
  await spoil(page, "first", { type: "failed", detail: "Out of memory" });
  const requests = sentBy(page);
  await openPhotos(page, console_.server);
  await choose(page, picture(png("amara")));
  await expect(page.getByText("The face could not be made.")).toBeVisible({ timeout: 600_000 });
  await page.getByRole("button", { name: "Try again" }).click();
  await untilMade(page);
  expect(requests.filter((request) => request.url().endsWith("/console/photo-maker"))).toHaveLength(2);
});

test("a choice with which the face cannot be made is taken back, and the face stays", async ({ page }) => {
  await spoil(page, "later", { type: "refused", faults: ["cut_off"], advice: [] });
  await openPhotos(page, console_.server);
  await choose(page, picture(png("amara")));
  await untilMade(page);
  await page.getByRole("button", { name: "More around" }).click();
  await expect(page.getByText("The face can’t be made like this.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Head and shoulders" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await untilMade(page);
  await save(page, "Amara B");
});

test("the page works with screen readers, in narrow windows, in dark colours and in Korean", async ({
  page,
}) => {
  await openPhotos(page, console_.server);
  await choose(page, picture(png("tomas")));
  await untilMade(page);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScrolling(page);
    await expectAccessible(page);
  }
  await page.evaluate(() => localStorage.setItem("visavis-console-language", "ko"));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "사진으로 얼굴 만들기" })).toBeVisible();
  await expectNoSidewaysScrolling(page);
});
