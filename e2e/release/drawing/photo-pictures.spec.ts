/** What draws photographed faces in browsers: its pictures are compared with those of the service. No server is needed. */
import { expect, test, type Page } from "../../support/test.ts";
import type { PuppetParams } from "../../../src/puppet/index.ts";
import { PhotoDrawing } from "../../../src/service/media/photo/photo-drawing.ts";
import { photoMina, photoMinaBeforeTiles, photoMinaInGlasses } from "../../../test/photo/photo-fixture.ts";
import { pageScript } from "../../support/page-script.ts";
import { allowSoftwareWebgl, softwareWebglBrowser } from "../../support/software-webgl.ts";
import type { Painting } from "../../../src/widget/drawing/local/look.ts";

declare global {
  interface Window {
    painting: Painting;
    /** Gives a lost GPU back. */
    restore: () => void;
    /** How often the painting took another canvas. */
    canvases: number;
  }
}

test.use({ launchOptions: softwareWebglBrowser });

/** The processor draws no larger picture. */
const size = 384;
/** As for the golden frames of drawn characters: another rasteriser has other edges. */
const tolerance = { mean: 2, over24Percent: 3 };

const poses: Record<string, PuppetParams> = {
  rest: {},
  aa: { visemeWeights: { aa: 1 } },
  ou: { visemeWeights: { ou: 1 }, smile: 0.4 },
  "E and SS": { visemeWeights: { E: 0.6, SS: 0.4 }, headTurn: -0.5 },
  "half a blink": { blink: 0.5, gazeX: 0.6 },
  "eyes closed": { blink: 1, browRaise: 0.8 },
  "head turned": { headTurn: 1, headNod: 0.5, gazeX: -0.8 },
  "head tilted": { headTilt: -1, headNod: -0.6, breath: 1, smile: 1 },
};

const faces = {
  bare: photoMina(),
  "in glasses": photoMinaInGlasses(),
  "before tiles": photoMinaBeforeTiles(),
};
type FaceName = keyof typeof faces;

let script = "";
/** The service's pictures of each face, by the names of their poses. */
const expected: Record<FaceName, Record<string, string>> = {
  bare: {},
  "in glasses": {},
  "before tiles": {},
};

test.beforeAll(async () => {
  script = await pageScript("photo");
  for (const face of ["bare", "in glasses", "before tiles"] as const) {
    const drawing = await PhotoDrawing.load(faces[face], size);
    for (const [name, params] of Object.entries(poses)) {
      const words = new Uint32Array(size * size);
      drawing.draw(params, words);
      expected[face][name] = Buffer.from(words.buffer).toString("base64");
    }
  }
});

/** Reads the character and paints it. Without the GPU's name changed, the processor draws. */
async function paint(page: Page, byGpu: boolean, face: FaceName = "bare"): Promise<void> {
  await page.setContent("<body></body>");
  if (byGpu) await page.evaluate(allowSoftwareWebgl);
  await page.addScriptTag({ content: script });
  await page.evaluate(
    async ([character, side]) => {
      const look = await window.visavisPhoto.readPhoto(character);
      window.canvases = 0;
      window.painting = look.paint(side, () => window.canvases++);
    },
    [faces[face], size] as const,
  );
}

/** Which kind of context the painting's canvas has. */
function kindOf(page: Page): Promise<string> {
  return page.evaluate(() => (window.painting.canvas.getContext("webgl2") ? "webgl2" : "2d"));
}

/** How far the painting's pictures are from the given ones, which have premultiplied colours: over grey, as seen on a page. */
function differences(page: Page, names: readonly string[] = Object.keys(poses), face: FaceName = "bare") {
  return page.evaluate(
    ({ given, side }) =>
      given.map(({ name, params, words }) => {
        window.painting.draw(params);
        const context = new OffscreenCanvas(side, side).getContext("2d")!;
        context.fillStyle = "#808080";
        context.fillRect(0, 0, side, side);
        context.drawImage(window.painting.canvas, 0, 0, side, side);
        const { data } = context.getImageData(0, 0, side, side);
        const wanted = Uint8Array.from(atob(words), (letter) => letter.charCodeAt(0));
        let [sum, far] = [0, 0];
        for (let i = 0; i < data.length; i += 4) {
          const behind = (128 * (255 - wanted[i + 3]!)) / 255;
          const distance = Math.max(
            ...[0, 1, 2].map((c) => Math.abs(data[i + c]! - Math.min(255, wanted[i + c]! + behind))),
          );
          sum += distance;
          if (distance > 24) far++;
        }
        const pixels = side * side;
        return { name, mean: sum / pixels, over24Percent: (100 * far) / pixels };
      }),
    {
      given: names.map((name) => ({ name, params: poses[name]!, words: expected[face][name]! })),
      side: size,
    },
  );
}

function expectAlike(found: Awaited<ReturnType<typeof differences>>): void {
  for (const { name, mean, over24Percent } of found) {
    expect.soft(mean, `${name}: mean`).toBeLessThanOrEqual(tolerance.mean);
    expect.soft(over24Percent, `${name}: over 24`).toBeLessThanOrEqual(tolerance.over24Percent);
  }
}

test("WebGL2 draws a photographed face as the service does", async ({ page }) => {
  await paint(page, true);
  expect(await kindOf(page)).toBe("webgl2");
  expectAlike(await differences(page));
});

test("without a GPU the processor draws it as the service does", async ({ page }) => {
  await paint(page, false);
  expect(await kindOf(page)).toBe("2d");
  expectAlike(await differences(page));
});

test("both draw glasses before the eyes", async ({ page }) => {
  expect(expected["in glasses"]["eyes closed"]).not.toBe(expected.bare["eyes closed"]);
  for (const byGpu of [true, false]) {
    await paint(page, byGpu, "in glasses");
    expectAlike(await differences(page, ["rest", "eyes closed", "head turned"], "in glasses"));
  }
});

test("both draw a kept background, which stays while the head turns", async ({ page }) => {
  const opaque = Buffer.from(expected["before tiles"]["head turned"]!, "base64").every(
    (value, i) => i % 4 !== 3 || value === 255,
  );
  expect(opaque).toBe(true);
  for (const byGpu of [true, false]) {
    await paint(page, byGpu, "before tiles");
    expectAlike(await differences(page, ["rest", "aa", "head turned", "head tilted"], "before tiles"));
    const corners = await page.evaluate(
      ([side, turned]) => {
        const { painting } = window;
        const corner = (): number[] => {
          const context = new OffscreenCanvas(side, side).getContext("2d")!;
          context.drawImage(painting.canvas, 0, 0, side, side);
          return [...context.getImageData(0, 0, side / 8, side / 8).data];
        };
        painting.draw({});
        const before = corner();
        painting.draw(turned);
        return [before, corner()];
      },
      [size, poses["head turned"]!] as const,
    );
    expect(corners[1]).toEqual(corners[0]);
  }
});

test("a lost GPU does not take the face away, and draws again when it is back", async ({ page }) => {
  await paint(page, true);
  await page.evaluate(() => {
    const gl = window.painting.canvas.getContext("webgl2")!;
    const loss = gl.getExtension("WEBGL_lose_context")!;
    window.restore = () => loss.restoreContext();
    window.painting.draw({ visemeWeights: { aa: 1 } });
    loss.loseContext();
  });
  await expect.poll(() => kindOf(page)).toBe("2d");
  expect(await page.evaluate(() => window.canvases)).toBe(1);
  expectAlike(await differences(page, ["aa"]));
  await page.evaluate(() => window.restore());
  await expect.poll(() => kindOf(page)).toBe("webgl2");
  expect(await page.evaluate(() => window.canvases)).toBe(2);
  expectAlike(await differences(page));
});

test("another size shows the same pose, and an ended painting keeps no GPU memory", async ({ page }) => {
  await paint(page, true);
  const colours = await page.evaluate(() => {
    const { painting } = window;
    painting.draw({ headTurn: 1 });
    const mean = (): number => {
      const context = new OffscreenCanvas(64, 64).getContext("2d")!;
      context.drawImage(painting.canvas, 0, 0, 64, 64);
      const { data } = context.getImageData(0, 0, 64, 64);
      return data.reduce((sum, value) => sum + value, 0) / data.length;
    };
    const before = mean();
    painting.resize(256);
    return [before, mean(), painting.canvas.width];
  });
  expect(colours[2]).toBe(256);
  expect(Math.abs(colours[0]! - colours[1]!)).toBeLessThan(2);
  const isLost = await page.evaluate(() => {
    const gl = window.painting.canvas.getContext("webgl2")!;
    window.painting.destroy();
    return gl.isContextLost();
  });
  expect(isLost).toBe(true);
  expect(await page.evaluate(() => window.canvases)).toBe(0);
});

test("a face is measured once, before it is painted, and no context is made to be given up", async ({
  page,
}) => {
  await page.setContent("<body></body>");
  const count = (): Promise<number[]> =>
    page.evaluate(async (character) => {
      const counts = { contexts: 0, exp: 0 };
      const { exp } = Math;
      const native = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
      Math.exp = (x) => {
        counts.exp++;
        return exp(x);
      };
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
        if (given[0] === "webgl2") counts.contexts++;
        return native.apply(this, given);
      } as never;
      const look = await window.visavisPhoto.readPhoto(character);
      const read = { ...counts };
      look.paint(256, () => undefined).destroy();
      const painted = { ...counts };
      look.paint(256, () => undefined).destroy();
      Math.exp = exp;
      HTMLCanvasElement.prototype.getContext = native as never;
      return [read.contexts, painted.contexts, counts.contexts, (counts.exp - read.exp) / read.exp];
    }, faces.bare);
  for (const byGpu of [false, true]) {
    if (byGpu) await page.evaluate(allowSoftwareWebgl);
    await page.addScriptTag({ content: script });
    const [read, first, second, measuredAgain] = await count();
    expect([read, first, second]).toEqual(byGpu ? [1, 1, 2] : [1, 1, 1]);
    expect(measuredAgain).toBeLessThan(0.01);
  }
});

test("a file that is no character from a photograph is refused", async ({ page }) => {
  await page.setContent("<body></body>");
  await page.addScriptTag({ content: script });
  const refused = page.evaluate(() => window.visavisPhoto.readPhoto({ format: "visavis-photo", version: 1 }));
  await expect(refused).rejects.toThrow("not valid");
});
