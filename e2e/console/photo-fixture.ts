import { expect, type Locator, type Page, type Request } from "../support/test.ts";
import { portrait } from "../support/portrait.ts";
import type { Server } from "../support/stack.ts";
import { signIn } from "./console-fixture.ts";

export const png = (name: Parameters<typeof portrait>[0], params = {}): Buffer =>
  portrait(name, { side: 900, params }).toBuffer("image/png");

export const picture = (buffer: Buffer, name = "portrait.png") => ({ name, mimeType: "image/png", buffer });

export const choose = (page: Page, file: ReturnType<typeof picture>): Promise<void> =>
  page.getByLabel("choose one").setInputFiles(file);

export async function openPhotos(page: Page, server: Server, query = ""): Promise<void> {
  await signIn(page, server, `/avatars/photo${query}`);
  await expect(page.getByRole("heading", { level: 1, name: "A face from a photograph" })).toBeVisible();
}

export const face = (page: Page): Locator => page.getByRole("img", { name: "The face, moving" });

/** Some of the picture's pixels, as a text. */
export const pixels = (of: Locator): Promise<string> =>
  of.evaluate((canvas) =>
    canvas instanceof HTMLCanvasElement
      ? (canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [])
          .filter((_, index) => index % 37 === 0)
          .join()
      : "",
  );

/** Waits until the picture has changed, from its present one. */
export async function untilMoved(of: Locator): Promise<void> {
  const before = await pixels(of);
  await expect.poll(() => pixels(of)).not.toBe(before);
}

export async function untilMade(page: Page): Promise<void> {
  // The page itself waits for three minutes.
  await expect(page.getByText("This photograph works.")).toBeVisible({ timeout: 200_000 });
  await expect(page.getByRole("list", { name: "How it will speak" }).getByRole("listitem")).toHaveCount(15);
}

export async function save(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("The photograph shows me, and I am an adult.").check();
  await page.getByLabel("Your name").fill("Anna Berg");
  await page.getByRole("button", { name: "Save the face" }).click();
  await expect(page.getByRole("heading", { name: `${name} is ready` })).toBeVisible();
}

/** Where everything goes that a page sends, with what is in it. */
export function sentBy(page: Page): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  return requests;
}

declare global {
  interface Window {
    /** How many tracks of the test's camera are on. */
    liveTracks?: () => number;
    /** Takes the camera away. */
    unplug?: () => void;
  }
}

/** Gives the page a camera that shows a portrait. */
export async function withCamera(page: Page, photograph: Buffer): Promise<void> {
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

export const liveTracks = (page: Page): Promise<number> => page.evaluate(() => window.liveTracks?.() ?? -1);

/** Drops or pastes something into the middle of the page, beside the place for pictures. */
export const give = (
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

/** What the maker says is "made" becomes `instead`: the first one, or all but the first. */
export const spoil = (page: Page, which: "first" | "later", instead: object) =>
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
