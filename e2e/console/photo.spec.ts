import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Locator, type Page, type Request } from "@playwright/test";
import { changed, portrait } from "../support/portrait.ts";
import { recordingProxy } from "../support/recording-proxy.ts";
import {
  callService,
  expectAccessible,
  expectNoSidewaysScrolling,
  pageProblems,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { makeContext, showEditor } from "./editor-fixture.ts";
import { invited } from "./invite.ts";

// Without a graphics card the models take their time.
test.describe.configure({ timeout: 180_000 });

const console_ = useConsole();

/** Everything that the service has stored of photographs. */
const stored = (): string[] =>
  readdirSync(join(console_.server.dataFolder, "files"))
    .filter((name) => name.startsWith("photo-"))
    .sort();

const png = (name: Parameters<typeof portrait>[0], params = {}): Buffer =>
  portrait(name, { side: 900, params }).toBuffer("image/png");

const picture = (buffer: Buffer, name = "portrait.png") => ({ name, mimeType: "image/png", buffer });

const choose = (page: Page, file: ReturnType<typeof picture>): Promise<void> =>
  page.getByLabel("choose one").setInputFiles(file);

async function openPhotos(page: Page, query = ""): Promise<void> {
  await signIn(page, console_.server, `/avatars/photo${query}`);
  await expect(page.getByRole("heading", { level: 1, name: "A face from a photograph" })).toBeVisible();
}

const face = (page: Page): Locator => page.getByRole("img", { name: "The face, moving" });

/** Some of the picture's pixels, as a text. */
const pixels = (of: Locator): Promise<string> =>
  of.evaluate((canvas) =>
    canvas instanceof HTMLCanvasElement
      ? (canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [])
          .filter((_, index) => index % 37 === 0)
          .join()
      : "",
  );

/** Waits until the picture has changed, from its present one. */
async function untilMoved(of: Locator): Promise<void> {
  const before = await pixels(of);
  await expect.poll(() => pixels(of)).not.toBe(before);
}

async function untilMade(page: Page): Promise<void> {
  await expect(page.getByText("This photograph works.")).toBeVisible({ timeout: 150_000 });
  await expect(page.getByRole("list", { name: "How it will speak" }).getByRole("listitem")).toHaveCount(15);
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("The photograph shows me, and I am an adult.").check();
  await page.getByLabel("Your name").fill("Anna Berg");
  await page.getByRole("button", { name: "Save the face" }).click();
  await expect(page.getByRole("heading", { name: `${name} is ready` })).toBeVisible();
}

const styleOf = async (id: string): Promise<string> => {
  const context = await callService(console_.server, "GET", `/api/console/b2c/contexts/${id}/`);
  return ((await context.json()) as { model_style: string }).model_style;
};

/** Where everything goes that a page sends, with what is in it. */
function sentBy(page: Page): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  return requests;
}

test("a picture becomes a face that speaks, is saved with consent, given to an avatar, and removed", async ({
  page,
}) => {
  const problems = pageProblems(page);
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
    await expect.poll(corner, { timeout: 60_000 }).toBe(255);
    await page.getByRole("button", { name: "Head", exact: true }).click();
    await expect(page.getByRole("button", { name: "Head", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
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
    await expect(page.getByText("Anna is removed.")).toBeVisible();
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

test("pictures that cannot be used are refused with plain advice, and nothing is stored", async ({
  page,
}) => {
  await openPhotos(page);
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
    await expect(refusal).toBeVisible({ timeout: 150_000 });
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
  await openPhotos(page);
  await choose(page, picture(png("tomas", { options: { glasses: true } })));
  await untilMade(page);
  const glasses = page.getByLabel("The person wears glasses");
  await expect(glasses).toBeChecked();
  await glasses.uncheck();
  await expect(glasses).toBeEnabled({ timeout: 60_000 });
  await expect(glasses).not.toBeChecked();
  await expect(page.getByText("No frame of glasses was found.")).toHaveCount(0);
  await page.getByRole("button", { name: "Choose another" }).click();
  await choose(page, picture(png("amara")));
  await untilMade(page);
  await expect(glasses).not.toBeChecked();
  await glasses.check();
  await expect(page.getByText("No frame of glasses was found.")).toBeVisible({ timeout: 60_000 });
  await expect(glasses).not.toBeChecked();
});

declare global {
  interface Window {
    /** How many tracks of the test's camera are on. */
    liveTracks?: () => number;
    /** Takes the camera away. */
    unplug?: () => void;
  }
}

/** Gives the page a camera that shows a portrait. */
async function withCamera(page: Page, photograph: Buffer): Promise<void> {
  await page.addInitScript(
    (address) => {
      const tracks: MediaStreamTrack[] = [];
      Object.assign(window, {
        liveTracks: () => tracks.filter(({ readyState }) => readyState === "live").length,
        unplug: () => {
          for (const track of tracks) {
            track.stop();
            track.dispatchEvent(new Event("ended"));
          }
        },
      });
      navigator.mediaDevices.getUserMedia = async () => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width: 900, height: 900 });
        const context = canvas.getContext("2d");
        const draw = (): void => {
          context?.drawImage(image, 0, 0, 900, 900);
          requestAnimationFrame(draw);
        };
        draw();
        const stream = canvas.captureStream(10);
        tracks.push(...stream.getTracks());
        return stream;
      };
    },
    `data:image/png;base64,${photograph.toString("base64")}`,
  );
}

const liveTracks = (page: Page): Promise<number> => page.evaluate(() => window.liveTracks?.() ?? -1);

test("a picture is taken with the camera, which is off afterwards", async ({ page }) => {
  await withCamera(page, png("mina"));
  await openPhotos(page);
  await page.getByRole("button", { name: "Take a picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Take a picture" });
  await expect(dialog.getByRole("button", { name: "Take it" })).toBeEnabled();
  expect(await liveTracks(page)).toBe(1);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Take it" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await liveTracks(page)).toBe(0);
  await untilMade(page);
});

test("a camera that is not allowed is explained, and closing the dialog leads back", async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("No.", "NotAllowedError"));
  });
  await openPhotos(page);
  const button = page.getByRole("button", { name: "Take a picture" });
  await button.click();
  await expect(page.getByText("The browser doesn’t let this page use the camera.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("a camera that is unplugged is explained, and no picture of it can be taken", async ({ page }) => {
  await withCamera(page, png("mina"));
  await openPhotos(page);
  await page.getByRole("button", { name: "Take a picture" }).click();
  const take = page.getByRole("button", { name: "Take it" });
  await expect(take).toBeEnabled();
  await page.evaluate(() => window.unplug?.());
  await expect(page.getByText("The camera can’t be used now.")).toBeVisible();
  await expect(take).toHaveCount(0);
});

/** Drops or pastes something into the middle of the page, beside the place for pictures. */
const give = (
  page: Page,
  type: "drop" | "paste",
  given: { file?: Buffer; address?: string },
): Promise<boolean> =>
  page.evaluate(
    ([event, base64, address]) => {
      const data = new DataTransfer();
      if (base64) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], "portrait.png", { type: "image/png" }));
      }
      if (address) data.setData("text/uri-list", address);
      const common = { bubbles: true, cancelable: true };
      // Whether the browser would open it in place of the page.
      return document.body.dispatchEvent(
        event === "drop"
          ? new DragEvent("drop", { ...common, dataTransfer: data })
          : new ClipboardEvent("paste", { ...common, clipboardData: data }),
      );
    },
    [type, given.file?.toString("base64"), given.address] as const,
  );

test("a picture may be dropped anywhere on the page, or pasted, but not taken from an address", async ({
  page,
}) => {
  await openPhotos(page);
  expect(await give(page, "drop", { address: "https://pictures.example/face.jpg" })).toBe(false);
  await expect(page.getByText("Only files of this device can be used.")).toBeVisible();
  expect(await give(page, "paste", {})).toBe(true);
  const nobody = changed(portrait("mina", { side: 300 }), (context, side) =>
    context.fillRect(0, 0, side, side),
  ).toBuffer("image/png");
  expect(await give(page, "paste", { file: nobody })).toBe(false);
  await expect(page.getByText("No face was found.")).toBeVisible({ timeout: 150_000 });
  expect(await give(page, "drop", { file: png("mina") })).toBe(false);
  await untilMade(page);
});

test("a face that was not saved is not left without a question", async ({ page }) => {
  await openPhotos(page);
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

/** What the maker says is "made" becomes `instead`: the first one, or all but the first. */
const spoil = (page: Page, which: "first" | "later", instead: object) =>
  page.addInitScript(
    ([spoiled, answer]) => {
      let made = 0;
      addEventListener("message", (event) => {
        const { data, origin, source } = event;
        if (data.type !== "made" || (spoiled === "first") !== (++made === 1)) return;
        event.stopImmediatePropagation();
        const { id, source: maker } = data;
        dispatchEvent(
          new MessageEvent("message", { data: { ...answer, id, source: maker }, origin, source }),
        );
      });
    },
    [which, instead] as const,
  );

test("after a failure, another try begins with models that are loaded anew", async ({ page }) => {
  await spoil(page, "first", { type: "failed", detail: "Out of memory" });
  const requests = sentBy(page);
  await openPhotos(page);
  await choose(page, picture(png("amara")));
  await expect(page.getByText("The face could not be made.")).toBeVisible({ timeout: 150_000 });
  await page.getByRole("button", { name: "Try again" }).click();
  await untilMade(page);
  expect(requests.filter((request) => request.url().endsWith("/console/photo-maker"))).toHaveLength(2);
});

test("a choice with which the face cannot be made is taken back, and the face stays", async ({ page }) => {
  await spoil(page, "later", { type: "refused", faults: ["cut_off"], advice: [] });
  await openPhotos(page);
  await choose(page, picture(png("amara")));
  await untilMade(page);
  await page.getByRole("button", { name: "More around" }).click();
  await expect(page.getByText("The face can’t be made like this.")).toBeVisible({ timeout: 60_000 });
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
  await openPhotos(page);
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
