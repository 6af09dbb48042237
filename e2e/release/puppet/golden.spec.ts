import { readFileSync } from "node:fs";
import { expect, test } from "../../support/test.ts";
import { pageScript } from "../../support/page-script.ts";
import type * as Puppet from "../../../src/puppet/index.ts";

interface GoldenFrame {
  readonly id: string;
  readonly file: string;
  readonly params: Puppet.PuppetParams;
}

interface Golden {
  readonly size: number;
  readonly scale: number;
  readonly characters: Record<string, { readonly frames: readonly GoldenFrame[] }>;
}

interface Difference {
  readonly id: string;
  readonly mean: number;
  readonly over24Percent: number;
}

const root = new URL("../../../", import.meta.url);
const golden = JSON.parse(readFileSync(new URL("test/golden/golden.json", root), "utf8")) as Golden;

/** The difference from the golden frames that is allowed to another rasterizer, whose shadows differ. */
const tolerance = { mean: 2, over24Percent: 3 };

let script: string;

test.beforeAll(async () => {
  script = await pageScript("puppet");
});

for (const [name, { frames }] of Object.entries(golden.characters)) {
  test(`the exact rig and the fast renderer draw ${name} as the golden frames show`, async ({ page }) => {
    await page.goto("about:blank");
    await page.addScriptTag({ content: script });
    const json: unknown = JSON.parse(readFileSync(new URL(`public/characters/${name}.json`, root), "utf8"));
    const pictures = frames.map(({ id, file, params }) => ({
      id,
      params,
      url: `data:image/png;base64,${readFileSync(new URL(`test/golden/${file}`, root), "base64")}`,
    }));
    const { size, scale } = golden;
    const drawn = await page.evaluate(compareInPage, { json, pictures, size, scale });
    expect(drawn.exact).toHaveLength(24);
    for (const [kind, differences] of Object.entries(drawn)) {
      for (const { id, mean, over24Percent } of differences) {
        expect.soft(mean, `${kind} ${id}: mean`).toBeLessThanOrEqual(tolerance.mean);
        expect.soft(over24Percent, `${kind} ${id}: over 24`).toBeLessThanOrEqual(tolerance.over24Percent);
      }
    }
  });
}

/** Runs in the page: draws every frame with the exact rig and with the fast renderer, and compares both. */
async function compareInPage(given: {
  json: unknown;
  pictures: { id: string; params: Puppet.PuppetParams; url: string }[];
  size: number;
  scale: number;
}): Promise<{ exact: Difference[]; fast: Difference[] }> {
  const { visavisPuppet: puppet } = window;
  const { size, scale } = given;
  const newCanvas = (width: number, height: number): OffscreenCanvas => new OffscreenCanvas(width, height);
  const flatten = (image: CanvasImageSource): Uint8ClampedArray => {
    const ctx = newCanvas(size, size).getContext("2d")!;
    ctx.fillStyle = "#808080";
    ctx.fillRect(0, 0, size, size);
    ctx.drawImage(image, 0, 0);
    return ctx.getImageData(0, 0, size, size).data;
  };
  const compare = (id: string, a: Uint8ClampedArray, b: Uint8ClampedArray): Difference => {
    let [sum, far] = [0, 0];
    for (let i = 0; i < a.length; i += 4) {
      const distance = Math.max(...[0, 1, 2].map((channel) => Math.abs(a[i + channel]! - b[i + channel]!)));
      sum += distance;
      if (distance > 24) far++;
    }
    return { id, mean: sum / (size * size), over24Percent: (100 * far) / (size * size) };
  };
  const character = puppet.parseCharacter(given.json);
  const rig = puppet.createRig(character, { Path2D });
  const renderer = puppet.createPuppetRenderer(character, { Path2D, createCanvas: newCanvas }, { size });
  const exact: Difference[] = [];
  const fast: Difference[] = [];
  for (const { id, params, url } of given.pictures) {
    const image = new Image();
    image.src = url;
    await image.decode();
    const expected = flatten(image);
    const canvas = newCanvas(size, size);
    rig.draw(canvas.getContext("2d")!, params, { scale });
    exact.push(compare(id, flatten(canvas), expected));
    fast.push(compare(id, flatten(renderer.draw(params)), expected));
  }
  return { exact, fast };
}
