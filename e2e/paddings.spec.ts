import { createCanvas, loadImage } from "@napi-rs/canvas";
import { expect, test } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { pictureOf, type Picture } from "./support/picture.ts";
import { useSite } from "./support/served-site.ts";
import { tolerateSlowDrawing } from "./support/slow-machine.ts";
import { avatar, snippet, stageFrame, startSession, untilFirstFrame, untilState } from "./support/widget.ts";

/**
 * The silhouette's edges are found in a screenshot on a pure magenta background, and compared with the edges of the
 * character's still picture, placed by the paddings as the specification says: box as high as the frame times
 * `padding_height`, centre at 0.5 + `padding_left` frame widths, top at `padding_top` frame heights.
 */
const cases = [
  { left: -0.5, top: 0.2, height: 1.4 },
  { left: 0.5, top: 0, height: 0.6 },
  { left: 0, top: 0, height: 1 },
];

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(
      `<div id="here"></div>${snippet(relayOrigin, context, 'data-variant="inline" data-transparent data-render="local" data-target="#here"')}`,
    ),
  }),
});

type Covered = (x: number, y: number) => boolean;

/** Edges of a silhouette in fractions of the frame: its top, and its left and right ends at some heights. */
function edges(size: { width: number; height: number }, covered: Covered, rows: number[]): number[] {
  const spans = (y: number): number[] =>
    Array.from({ length: size.width }, (_, x) => x).filter((x) => covered(x, y));
  let top = 0;
  while (top < size.height && spans(top).length < size.width * 0.01) top += 1;
  const ends = rows.flatMap((row) => {
    const span = spans(Math.round(row * size.height));
    return [(span[0] ?? 0) / size.width, ((span.at(-1) ?? 0) + 1) / size.width];
  });
  return [top / size.height, ...ends];
}

/** The silhouette of the still picture, placed by the paddings in a frame of the given size. */
async function expectedSilhouette(
  frame: { width: number; height: number },
  { left, top, height }: (typeof cases)[number],
): Promise<Covered> {
  const still = await loadImage("public/characters/mina-poster.webp");
  const context = createCanvas(frame.width, frame.height).getContext("2d");
  const side = frame.height * height;
  context.drawImage(still, (0.5 + left) * frame.width - side / 2, top * frame.height, side, side);
  const { data } = context.getImageData(0, 0, frame.width, frame.height);
  return (x, y) => data[(y * frame.width + x) * 4 + 3]! > 100;
}

const silhouetteOf =
  (picture: Picture): Covered =>
  (x, y) => {
    const [red, green, blue] = picture.at(x, y);
    return !(red > 150 && green < 100 && blue > 150);
  };

test("a transparent avatar stands directly on the page, where the paddings place it", async ({ page }) => {
  await tolerateSlowDrawing(page);
  await page.goto(served.site.origin);
  await startSession(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  // Name, ring and controls cover the frame's edges, where the silhouette is measured. Some come later than the picture.
  await avatar(page).evaluate((element) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      ":is(.vv-top, .vv-badge, .vv-ring, .vv-subtitles, .vv-overlay) { visibility: hidden !important }",
    );
    element.shadowRoot!.adoptedStyleSheets.push(sheet);
  });
  for (const placed of cases) {
    await avatar(page).evaluate((element, { left, top, height }) => {
      element.setAttribute("padding-left", String(left));
      element.setAttribute("padding-top", String(top));
      element.setAttribute("padding-height", String(height));
    }, placed);
    // Rows that no control of the widget covers.
    const rows = [0.3, 0.45, 0.6].map((row) => Math.min(0.85, placed.top + row * placed.height));
    // While the avatar greets, it moves.
    await expect(async () => {
      const picture = await pictureOf(page, stageFrame(page));
      const measured = edges(picture, silhouetteOf(picture), rows);
      const expected = edges(picture, await expectedSilhouette(picture, placed), rows);
      measured.forEach((value, index) => {
        const message = `edge ${index} at ${value}, expected ${expected[index]!}`;
        expect(Math.abs(value - expected[index]!), message).toBeLessThan(0.01);
      });
    }).toPass();
  }
});
