import { createCanvas, loadImage } from "@napi-rs/canvas";
import { expect, test, type Page } from "../support/test.ts";
import type { Stage, StageOptions } from "../../src/stage/index.ts";
import { allowSoftwareWebgl, softwareWebglBrowser } from "../support/software-webgl.ts";
import { pageScript } from "../support/page-script.ts";

/**
 * The stage alone, with a video that the test makes: a green figure that covers 30–70 % of its box's width and 20–90 % of its
 * height, packed with its matte. The tests measure the result on the screen.
 */
const figure = { left: 0.3, right: 0.7, top: 0.2, bottom: 0.9 };
const frame = { width: 400, height: 500 };
const blue = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#00f"/></svg>')}`;

declare global {
  interface Window {
    stage: Stage;
    /** How often the stage reported its first frame. */
    firstFrames: number;
  }
}

let code = "";

test.use({ launchOptions: softwareWebglBrowser });

test.beforeAll(async () => {
  code = await pageScript("stage");
});

type Kind = "webgl2" | "2d";

async function openStage(page: Page, matte: StageOptions["matte"], kind: Kind): Promise<void> {
  // Another document has the browser's own functions again.
  await page.goto("about:blank");
  await page.setContent(
    `<body style="margin:0;background:#f0f"><div id="host" style="position:relative;overflow:hidden;width:${frame.width}px;height:${frame.height}px"></div>`,
  );
  await page.evaluate(allowSoftwareWebgl);
  await page.addScriptTag({ content: code });
  await page.evaluate(
    ({ figure, matte, kind, blue }) => {
      if (kind === "2d") {
        const getContext = HTMLCanvasElement.prototype.getContext as (...args: unknown[]) => unknown;
        HTMLCanvasElement.prototype.getContext = function (
          this: HTMLCanvasElement,
          wanted: string,
          options: unknown,
        ) {
          return wanted === "webgl2" ? null : getContext.call(this, wanted, options);
        } as never;
      }
      const packed = matte === "packed-alpha";
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [256, packed ? 512 : 256];
      const context = canvas.getContext("2d")!;
      const rect = (colour: string, offset: number): void => {
        context.fillStyle = colour;
        const { left, right, top, bottom } = figure;
        context.fillRect(left * 256, top * 256 + offset, (right - left) * 256, (bottom - top) * 256);
      };
      const draw = (): void => {
        context.fillStyle = packed ? "#000" : "#f00";
        context.fillRect(0, 0, 256, 512);
        rect("#0c0", 0);
        if (packed) rect("#fff", 256);
        requestAnimationFrame(draw);
      };
      draw();
      const video = document.createElement("video");
      video.muted = true;
      video.srcObject = canvas.captureStream(25);
      void video.play();
      const host = document.querySelector<HTMLElement>("#host")!;
      window.firstFrames = 0;
      window.stage = window.visavisStage.createStage(host, {
        matte,
        paddingLeft: 0,
        paddingTop: 0,
        paddingHeight: 1,
        background: blue,
        transparent: false,
        poster: null,
      });
      window.stage.onFirstFrame(() => (window.firstFrames += 1));
      window.stage.attach(video);
    },
    { figure, matte, kind, blue },
  );
  await page.waitForFunction(() => window.firstFrames > 0);
}

const setOptions = (page: Page, options: Partial<StageOptions>): Promise<void> =>
  page.evaluate((changed) => window.stage.setOptions(changed), options);

type Colour = "green" | "blue" | "magenta" | "other";

/** The screen's pixels as colours by name. */
async function look(page: Page): Promise<(x: number, y: number) => Colour> {
  const image = await loadImage(await page.locator("#host").screenshot());
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return (x, y) => {
    const [r, g, b] = [0, 1, 2].map((channel) => data[(y * image.width + x) * 4 + channel]! > 128);
    if (g && !r && !b) return "green";
    if (b && !r && !g) return "blue";
    return r && b && !g ? "magenta" : "other";
  };
}

/** Waits until the screen has these colours at these places. */
async function untilSeen(page: Page, ...wanted: readonly [x: number, y: number, Colour][]): Promise<void> {
  await expect
    .poll(async () => {
      const at = await look(page);
      return wanted.map(([x, y]) => [x, y, at(x, y)]);
    })
    .toEqual(wanted);
}

/** Edges of the green figure on the screen, in fractions of the frame. */
async function greenBox(page: Page): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const at = await look(page);
  let [left, right, top, bottom] = [frame.width, 0, frame.height, 0];
  for (let y = 0; y < frame.height; y++)
    for (let x = 0; x < frame.width; x++)
      if (at(x, y) === "green") {
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y + 1);
      }
  return {
    left: left / frame.width,
    right: right / frame.width,
    top: top / frame.height,
    bottom: bottom / frame.height,
  };
}

/** Where the paddings place the figure, clipped by the frame. */
function expectedBox(left: number, top: number, height: number): Awaited<ReturnType<typeof greenBox>> {
  const width = (height * frame.height) / frame.width;
  const cut = (value: number): number => Math.min(Math.max(value, 0), 1);
  return {
    left: cut(0.5 + left - width / 2 + figure.left * width),
    right: cut(0.5 + left - width / 2 + figure.right * width),
    top: cut(top + figure.top * height),
    bottom: cut(top + figure.bottom * height),
  };
}

for (const kind of ["webgl2", "2d"] as const)
  test(`places the avatar by its paddings, before background or page, without its chroma key, and keeps its last frame, with ${kind}`, async ({
    page,
  }) => {
    await openStage(page, "chroma:#ff0000", kind);
    await untilSeen(page, [30, 250, "blue"], [200, 250, "green"]);
    await openStage(page, "packed-alpha", kind);
    expect(await page.evaluate(() => window.stage.renderer)).toBe(kind);
    await untilSeen(page, [5, 5, "blue"], [200, 250, "green"]);
    await setOptions(page, { transparent: true });
    await untilSeen(page, [5, 5, "magenta"], [200, 250, "green"]);

    // Within 1 % of the frame.
    for (const [left, top, height] of [
      [-0.5, 0.2, 1.4],
      [0.5, 0, 0.6],
      [0, 0, 1],
    ] as const) {
      await setOptions(page, { paddingLeft: left, paddingTop: top, paddingHeight: height });
      const expected = expectedBox(left, top, height);
      await expect(async () => {
        const seen = await greenBox(page);
        for (const edge of ["left", "right", "top", "bottom"] as const)
          expect(Math.abs(seen[edge] - expected[edge]), `${edge} of ${left}, ${top}, ${height}`).toBeLessThan(
            0.01,
          );
      }).toPass();
    }

    await page.evaluate(() => {
      window.stage.detach();
      document.querySelector<HTMLElement>("#host")!.style.width = "300px";
    });
    await untilSeen(page, [150, 250, "green"]);
    await expect(page.locator("video")).toHaveCount(0);
    await page.evaluate(() => window.stage.destroy());
    await expect(page.locator("#host > *")).toHaveCount(0);
  });

test("continues with WebGL after more stages than a page may have contexts, and after the browser has taken its context away, and finally without", async ({
  page,
}) => {
  await openStage(page, "packed-alpha", "webgl2");
  const kinds = await page.evaluate(async () => {
    const host = document.querySelector<HTMLElement>("#host")!;
    const seen: unknown[] = [];
    for (let count = 0; count < 40; count++) {
      const stage = window.visavisStage.createStage(host, {
        matte: "packed-alpha",
        paddingLeft: 0,
        paddingTop: 0,
        paddingHeight: 1,
        background: null,
        transparent: true,
        poster: null,
      });
      const video = document.createElement("video");
      stage.attach(video);
      video.srcObject = document.createElement("canvas").captureStream();
      await new Promise((done) => video.addEventListener("loadstart", done, { once: true }));
      stage.destroy();
      seen.push(stage.renderer);
    }
    return seen;
  });
  expect(new Set(kinds)).toEqual(new Set(["webgl2"]));
  await untilSeen(page, [200, 250, "green"]);

  for (const expected of ["webgl2", "2d"]) {
    await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>("#host canvas")!;
      canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext();
    });
    await page.waitForFunction(
      (kind) =>
        window.stage.renderer === kind &&
        !document.querySelector<HTMLCanvasElement>("#host canvas")!.getContext("webgl2")?.isContextLost(),
      expected,
    );
    await untilSeen(page, [200, 250, "green"]);
  }
});

test("draws in a 2D canvas where the processor would do the GPU's work, and makes no context where there is no video: one that is given up blocks the page", async ({
  page,
}) => {
  await page.goto("about:blank");
  await page.addScriptTag({ content: code });
  const contexts = await page.evaluate(async () => {
    let made = 0;
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...kind: never[]) {
      made += 1;
      return (getContext as (...kind: never[]) => null).apply(this, kind);
    } as typeof getContext;
    const host = document.body.appendChild(document.createElement("div"));
    const framing = { paddingLeft: 0, paddingTop: 0, paddingHeight: 1 };
    const options = { background: null, poster: null, matte: "packed-alpha", transparent: true } as const;
    const stage = window.visavisStage.createStage(host, { ...framing, ...options });
    const sound = document.createElement("video");
    sound.srcObject = new AudioContext().createMediaStreamDestination().stream;
    stage.attach(sound);
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    const element = document.createElement("div");
    const nothing = () => undefined;
    stage.use(
      { kind: "local", element, upload: nothing, draw: nothing, destroy: nothing },
      { width: 64, height: 128 },
    );
    stage.destroy();
    return made;
  });
  expect(contexts).toBe(0);

  // This browser is started without a GPU.
  await page.evaluate(() => {
    const host = document.body.appendChild(document.createElement("div"));
    const framing = { paddingLeft: 0, paddingTop: 0, paddingHeight: 1 };
    const options = { background: null, poster: null, matte: "none", transparent: true } as const;
    window.stage = window.visavisStage.createStage(host, { ...framing, ...options });
    const video = document.createElement("video");
    video.srcObject = document.createElement("canvas").captureStream();
    window.stage.attach(video);
  });
  await page.waitForFunction(() => window.stage.renderer === "2d");
});
