import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Locator, Page } from "@playwright/test";
import { avatar } from "./widget.ts";

/** The pixels of a screenshot. */
export interface Picture {
  width: number;
  height: number;
  /** Red, green and blue of a pixel, 0…255. */
  at(x: number, y: number): [number, number, number];
}

/** Takes a screenshot of the element as a person sees it. */
export async function pictureOf(page: Page, locator: Locator): Promise<Picture> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  const image = await loadImage(await page.screenshot({ clip: box }));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return {
    width: image.width,
    height: image.height,
    at: (x, y) => {
      const offset = (Math.round(y) * image.width + Math.round(x)) * 4;
      return [data[offset]!, data[offset + 1]!, data[offset + 2]!];
    },
  };
}

/** Share of the pixels that differ by more than 8 of 255 in some channel. */
export function difference(first: Picture, second: Picture): number {
  let changed = 0;
  for (let y = 0; y < first.height; y++)
    for (let x = 0; x < first.width; x++) {
      const [a, b] = [first.at(x, y), second.at(x, y)];
      if (a.some((value, index) => Math.abs(value - b[index]!) > 8)) changed += 1;
    }
  return changed / (first.width * first.height);
}

/** How many different pictures the stage shows in so many frames of the page. Three are enough: no more are counted. */
export function differentPictures(page: Page, frames: number): Promise<number> {
  return avatar(page).evaluate(async (element, count) => {
    const small = new OffscreenCanvas(24, 24).getContext("2d", { willReadFrequently: true })!;
    const seen = new Set<string>();
    for (let frame = 0; frame < count && seen.size < 3; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const canvas = element.shadowRoot!.querySelector<HTMLCanvasElement>(".vv-stage canvas")!;
      small.clearRect(0, 0, 24, 24);
      small.drawImage(canvas, 0, 0, 24, 24);
      seen.add(String(small.getImageData(0, 0, 24, 24).data));
    }
    return seen.size;
  }, frames);
}
