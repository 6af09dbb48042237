import { leftEye, rightEye, surfaceCount } from "../photo/landmarks.ts";
import { brightnessOf, coloursAt, type SourcePicture } from "./source-picture.ts";
import { mouthAtlas, mouthAtlasSize } from "../photo/mouth-atlas.ts";
import { clamp } from "../photo/numbers.ts";

/** The three colours of a photograph in black and white, or in one hue, by their brightness: `least + share × brightness`. */
type Tone = readonly { readonly least: number; readonly share: number }[];

/** In other photographs lips, eyes and skin differ more from one line of colours. Of so many of the face's points. */
const mostDifference = 4;
const counted = 0.9;

/** The line through points [x, y] that fits best. */
function lineThrough(points: readonly (readonly [number, number])[]): Tone[number] {
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const squares = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const products = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  const share = squares === 0 ? 1 : products / squares;
  return { least: my - share * mx, share };
}

/** The tone of a photograph in black and white, or in sepia; null for one in colours. */
export function toneOf(source: SourcePicture): Tone | null {
  const colours = source.landmarks.slice(0, surfaceCount).map(([x, y]) => coloursAt(source, x, y));
  const lights = colours.map((colour) => brightnessOf(...colour));
  const tone = ([0, 1, 2] as const).map((c) =>
    lineThrough(colours.map((colour, i) => [lights[i]!, colour[c]] as const)),
  );
  const differences = colours
    .map((colour, i) =>
      Math.max(...tone.map(({ least, share }, c) => Math.abs(colour[c]! - least - share * lights[i]!))),
    )
    .sort((a, b) => a - b);
  return differences[Math.floor(counted * differences.length)]! > mostDifference ? null : tone;
}

/** Gives all pixels a tone. */
export function paintInTone({ data }: Pick<ImageData, "data">, tone: Tone): void {
  for (let i = 0; i < data.length; i += 4) {
    const light = brightnessOf(data[i]!, data[i + 1]!, data[i + 2]!);
    tone.forEach(({ least, share }, c) => (data[i + c] = least + share * light));
  }
}

type Rgb = readonly [number, number, number];
type Context = OffscreenCanvasRenderingContext2D;

const css = ([r, g, b]: Rgb, alpha = 1): string => `rgba(${r | 0},${g | 0},${b | 0},${alpha})`;
const scaled = ([r, g, b]: Rgb, kr: number, kg: number, kb: number): Rgb => [r * kr, g * kg, b * kb];

/** Landmarks of the lips' red, and of the skin beside the nose and on its tip. */
const lipPoints = [14, 87, 317, 17, 84, 314, 86, 316, 15];
const skinPoints = [50, 280, 4];

function meanAt(source: SourcePicture, numbers: readonly number[]): Rgb {
  const colours = numbers.map((i) => coloursAt(source, ...source.landmarks[i]!));
  const mean = (channel: 0 | 1 | 2): number =>
    colours.reduce((sum, colour) => sum + colour[channel], 0) / colours.length;
  return [mean(0), mean(1), mean(2)];
}

/** How far the tint of the eyes' white may be from grey: in the shadow of brows or glasses it is that of the skin. */
const mostTint = { less: 0.85, more: 1.2 } as const;

/** The colour of the teeth: that of the eyes' white in the light of this photograph, warmer, and a little brighter than the skin. */
function teethColour(source: SourcePicture, whites: readonly (readonly number[] | null)[]): Rgb {
  const seen = whites.flatMap((white) => (white ? [white] : []));
  const white = [0, 1, 2].map((c) =>
    seen.length > 0
      ? seen.reduce((sum, colour) => sum + (colour[c] ?? 0), 0) / seen.length
      : [215, 210, 205][c],
  );
  const level = Math.max(1, white.reduce<number>((sum, value) => sum + (value ?? 0), 0) / 3);
  const skin = skinPoints
    .map((i) => brightnessOf(...coloursAt(source, ...source.landmarks[i]!)))
    .reduce((sum, value) => sum + value / skinPoints.length, 0);
  const bright = Math.min(240, Math.max(skin * 1.18, skin * 0.45 + 136));
  const tint = (c: 0 | 1 | 2): number => clamp((white[c] ?? level) / level, mostTint.less, mostTint.more);
  const tone = (c: 0 | 1 | 2, own: number): number => clamp((0.35 * tint(c) + 0.65 * own) * bright, 110, 248);
  return [tone(0, 1.045), tone(1, 1.005), tone(2, 0.93)];
}

/** The colour of the lashes: the darkest along the upper lids. */
function lashColour(source: SourcePicture): Rgb {
  const found = [leftEye, rightEye].flatMap(({ upper }) =>
    upper.slice(2, 7).flatMap((i) => {
      const [x, y] = source.landmarks[i]!;
      return [-2, -1, 0, 1, 2].map((dy) => coloursAt(source, x, y + dy * 0.4 * source.pxPerMm));
    }),
  );
  found.sort((a, b) => a[0] + a[1] + a[2] - b[0] - b[1] - b[2]);
  return found[2] ?? [40, 25, 20];
}

function paintCavity(context: Context, lips: Rgb): void {
  const { y, height } = mouthAtlas.cavity;
  const depth = context.createLinearGradient(0, 0, 0, y + height + 2);
  depth.addColorStop(0, "rgb(26,9,9)");
  depth.addColorStop(0.35, css(scaled(lips, 0.22, 0.12, 0.12)));
  depth.addColorStop(1, css(scaled(lips, 0.32, 0.2, 0.2)));
  context.fillStyle = depth;
  context.fillRect(0, 0, mouthAtlasSize, y + height + 2);
}

function paintLash(context: Context, lash: Rgb): void {
  const { y, height } = mouthAtlas.lash;
  const edge = context.createLinearGradient(0, y, 0, y + height);
  const colour = scaled(lash, 0.8, 0.8, 0.8);
  for (const [at, alpha] of [
    [0, 0],
    [0.5, 1],
    [0.7, 0.8],
    [1, 0],
  ] as const)
    edge.addColorStop(at, css(colour, alpha));
  context.fillStyle = edge;
  context.fillRect(0, y, mouthAtlasSize, height);
}

/** The widths of the teeth, from one side to the other. */
const teethWidths = {
  upper: [0.55, 0.62, 0.7, 0.78, 0.8, 0.72, 1, 1, 0.72, 0.8, 0.78, 0.7, 0.62, 0.55],
  lower: [0.6, 0.66, 0.72, 0.78, 0.74, 0.7, 0.66, 0.66, 0.7, 0.74, 0.78, 0.72, 0.66, 0.6],
};

/** The light on a tooth, from its upper to its lower end: dark at the gum. Mostly its edge is seen, so that must not be dull. */
function toothLight(
  context: Context,
  part: "upper" | "lower",
  top: number,
  height: number,
  white: Rgb,
  lips: Rgb,
  dim: number,
) {
  const light = context.createLinearGradient(0, top, 0, top + height);
  const tone = (share: number, warmer: number): string =>
    css([white[0] * share * dim, (white[1] - warmer) * share * dim, (white[2] - 2 * warmer) * share * dim]);
  if (part === "upper") {
    light.addColorStop(0, css(scaled(lips, 0.75, 0.5, 0.5)));
    light.addColorStop(0.22, tone(0.88, 6));
    light.addColorStop(0.6, tone(1, 0));
    light.addColorStop(0.9, tone(1, 0));
    light.addColorStop(1, tone(0.95, 0));
  } else {
    light.addColorStop(0, tone(0.95, 0));
    light.addColorStop(0.2, tone(0.98, 0));
    light.addColorStop(0.7, tone(0.82, 5));
    light.addColorStop(1, css(scaled(lips, 0.6, 0.4, 0.4)));
  }
  return light;
}

function paintTeeth(context: Context, part: "upper" | "lower", white: Rgb, lips: Rgb): void {
  const area = mouthAtlas[part];
  const [top, height] = [area.y + 2, area.height - 4];
  const middle = (teethWidths[part].length - 1) / 2;
  const aside = (i: number): number => Math.abs(i - middle) / (middle + 0.5);
  const widths = teethWidths[part].map((width, i) => width * Math.cos(aside(i) * 1.05));
  const total = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  widths.forEach((share, i) => {
    const width = (share / total) * mouthAtlasSize;
    const t = aside(i);
    const shorter = part === "lower" ? 0 : t > 0.2 && t < 0.35 ? 0.05 : t > 0.6 ? 0.06 : 0;
    const length = height * (0.96 - shorter);
    const round = Math.min(width * 0.28, 14);
    context.fillStyle = toothLight(context, part, top, height, white, lips, 1 - 0.14 * t * t);
    context.beginPath();
    if (part === "upper") context.roundRect(x, top, width, length, [0, 0, round, round]);
    else context.roundRect(x, top + height - length, width, length, [round * 0.7, round * 0.7, 0, 0]);
    context.fill();
    const gap = context.createLinearGradient(x, 0, x + width, 0);
    for (const [at, alpha] of [
      [0, 0.09],
      [0.14, 0],
      [0.86, 0],
      [1, 0.09],
    ] as const)
      gap.addColorStop(at, `rgba(90,50,38,${alpha})`);
    context.fillStyle = gap;
    context.fill();
    x += width;
  });
}

function paintTongue(context: Context, lips: Rgb): void {
  const { y } = mouthAtlas.tongue;
  const colour: Rgb = [Math.max(lips[0], 150) * 0.92, lips[1] * 0.62 + 30, lips[2] * 0.62 + 34];
  const light = context.createRadialGradient(256, y + 36, 10, 256, y + 56, 270);
  light.addColorStop(0, css(colour));
  light.addColorStop(0.6, css(scaled(colour, 0.8, 0.75, 0.75)));
  light.addColorStop(1, css(scaled(colour, 0.4, 0.3, 0.3)));
  context.fillStyle = light;
  context.beginPath();
  context.ellipse(256, y + 106, 250, 104, 0, 0, 2 * Math.PI);
  context.fill();
}

/** Paints the inside of the mouth in the colours of the photograph: it is not seen there, because the mouth is closed. */
export function mouthLayer(
  source: SourcePicture,
  whites: readonly (readonly number[] | null)[],
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(mouthAtlasSize, mouthAtlasSize);
  const teethCanvas = new OffscreenCanvas(mouthAtlasSize, mouthAtlasSize);
  const [context, teeth] = [canvas.getContext("2d"), teethCanvas.getContext("2d")];
  if (!context || !teeth) throw new Error("This browser has no 2D canvas.");
  const lips = meanAt(source, lipPoints);
  paintCavity(context, lips);
  paintLash(context, lashColour(source));
  const white = teethColour(source, whites);
  paintTeeth(teeth, "upper", white, lips);
  paintTeeth(teeth, "lower", white, lips);
  // The sides of the rows go into the dark.
  teeth.globalCompositeOperation = "destination-in";
  const sides = teeth.createLinearGradient(0, 0, mouthAtlasSize, 0);
  for (const [at, alpha] of [
    [0, 0],
    [0.09, 1],
    [0.91, 1],
    [1, 0],
  ] as const)
    sides.addColorStop(at, `rgba(0,0,0,${alpha})`);
  teeth.fillStyle = sides;
  teeth.fillRect(0, 0, mouthAtlasSize, mouthAtlasSize);
  context.filter = "blur(1.6px)";
  context.drawImage(teethCanvas, 0, 0);
  context.filter = "none";
  paintTongue(context, lips);
  const tone = toneOf(source);
  if (tone) {
    const image = context.getImageData(0, 0, mouthAtlasSize, mouthAtlasSize);
    paintInTone(image, tone);
    context.putImageData(image, 0, 0);
  }
  return canvas;
}
