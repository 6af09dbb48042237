import { surfaceCount } from "../photo/landmarks.ts";
import { brightnessOf, coloursAt, type SourcePicture } from "./source-picture.ts";

/** The three colours of a photograph in black and white, or in one hue, by their brightness: `least + share × brightness`. */
export type Tone = readonly { readonly least: number; readonly share: number }[];

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
