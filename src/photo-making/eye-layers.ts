import type { PhotoArea } from "../protocol/characters/photo-character.ts";
import { type EyeLandmarks, leftEye, rightEye } from "../photo/landmarks.ts";
import { clamp, type Point, smooth } from "../photo/numbers.ts";
import { type Colours, fillGaps } from "./fill.ts";
import {
  brightnessOf,
  colourAt,
  coloursOf,
  distanceInside,
  imageOf,
  type SourcePicture,
} from "./source-picture.ts";

/** The layers of an eye, and where they lie in the picture. */
interface EyeLayers {
  readonly eye: PhotoArea;
  readonly sclera: ImageData;
  readonly iris: ImageData;
  readonly lidArea: PhotoArea;
  readonly lid: ImageData;
  /** The mean colour of the white; null where it is hardly seen. */
  readonly white: readonly number[] | null;
}

interface EyeShape {
  readonly polygon: readonly Point[];
  readonly centre: Point;
  readonly radius: number;
}

function shapeOf({ landmarks }: SourcePicture, eye: EyeLandmarks): EyeShape {
  const at = (i: number): Point => landmarks[i]!;
  const [a, b, c, d] = eye.rim.map(at);
  const across = (p: Point, q: Point): number => Math.hypot(p[0] - q[0], p[1] - q[1]);
  return {
    polygon: [...eye.upper, ...eye.lower.slice(1, -1).reverse()].map(at),
    centre: at(eye.iris),
    radius: (across(a!, c!) + across(b!, d!)) / 4,
  };
}

function areaAround({ polygon, centre, radius }: EyeShape, pxPerMm: number): PhotoArea {
  const margin = 2 * pxPerMm;
  const xs = polygon.map(([x]) => x);
  const ys = [...polygon.map(([, y]) => y), centre[1] - radius, centre[1] + radius];
  const [x, y] = [Math.floor(Math.min(...xs) - margin), Math.floor(Math.min(...ys) - margin)];
  return {
    ...{ x, y },
    width: Math.ceil(Math.max(...xs) + margin) - x,
    height: Math.ceil(Math.max(...ys) + margin) - y,
  };
}

/** For each pixel of an area: how far it is inside the eye, and how far from the middle of the iris. */
function distances(area: PhotoArea, { polygon, centre }: EyeShape) {
  const count = area.width * area.height;
  const inside = new Float32Array(count);
  const fromIris = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const x = area.x + (i % area.width) + 0.5;
    const y = area.y + Math.floor(i / area.width) + 0.5;
    inside[i] = distanceInside(polygon, x, y);
    fromIris[i] = Math.hypot(x - centre[0], y - centre[1]);
  }
  return { inside, fromIris };
}

type Distances = ReturnType<typeof distances>;

const lightOf = ({ values }: Colours, i: number): number =>
  brightnessOf(values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!);

/** The white of the eye, also where the iris is: its pixels that are seen, without lashes, and what is filled in from them. */
function scleraOf(
  colours: Colours,
  { inside, fromIris }: Distances,
  radius: number,
  mm: number,
): readonly number[] | null {
  const weights = inside.map((depth, i) =>
    depth > 0.35 * mm && fromIris[i]! > radius * 1.12
      ? smooth(radius * 1.12, radius * 1.5, fromIris[i]!) ** 2 * 0.98 +
        (fromIris[i]! > radius * 1.26 ? 0.02 : 0)
      : 0,
  );
  const seen = [...weights.keys()].filter((i) => weights[i]! > 0);
  const lights = seen.map((i) => lightOf(colours, i)).sort((a, b) => a - b);
  const darkest = (lights[Math.floor(lights.length * 0.6)] ?? 0) * 0.72;
  for (const i of seen) if (fromIris[i]! < radius * 1.5 && lightOf(colours, i) < darkest) weights[i] = 0;
  const clear = seen.filter((i) => weights[i]! > 0.2);
  if (clear.length === 0) return null;
  const white = [0, 1, 2].map(
    (c) => clear.reduce((sum, i) => sum + colours.values[3 * i + c]!, 0) / clear.length,
  );
  fillGaps(colours, weights);
  brightenFill(colours, weights, inside, mm);
  return white;
}

/** Lashes and the rim of the iris leak into what was filled in: it becomes as bright as the white beside it. */
function brightenFill(colours: Colours, weights: Float32Array, inside: Float32Array, mm: number): void {
  const mean = (i: number): number =>
    (colours.values[3 * i]! + colours.values[3 * i + 1]! + colours.values[3 * i + 2]!) / 3;
  const known = [...weights.keys()].filter((i) => weights[i]! > 0.8).map(mean);
  const reference = known.sort((a, b) => a - b)[Math.floor(known.length * 0.7)];
  if (reference === undefined) return;
  weights.forEach((weight, i) => {
    const lift = (1 - Math.min(1, weight)) * clamp((reference * 0.94) / mean(i) - 1, 0, 0.5);
    const share = 1 + lift * smooth(0, 2.5 * mm, inside[i]!);
    for (let c = 0; c < 3; c++) colours.values[3 * i + c]! *= share;
  });
}

/** The whole iris: what the lids hide is mirrored from its lower half, or filled in. */
function fillIris(
  source: SourcePicture,
  colours: Colours,
  { inside, fromIris }: Distances,
  area: PhotoArea,
  { centre, radius }: EyeShape,
): void {
  const weights = inside.map((depth, i) =>
    depth > 0.15 * source.pxPerMm && fromIris[i]! < radius * 1.12 ? 1 : 0,
  );
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] !== 0 || fromIris[i]! > radius * 1.12) continue;
    const [x, y] = [i % area.width, Math.floor(i / area.width)];
    const mirrored = Math.round(2 * (centre[1] - area.y)) - 1 - y;
    const other = mirrored * area.width + x;
    if (mirrored < 0 || mirrored >= area.height || inside[other]! <= 1.5 * source.pxPerMm) continue;
    for (let c = 0; c < 3; c++)
      colours.values[3 * i + c] = colourAt(source, area.x + x, area.y + mirrored, c);
    weights[i] = 1;
  }
  fillGaps(colours, weights);
}

/** How far lashes reach from the lids' edges, above, below and beside them, in millimetres. */
const lashesMm = { above: 4.4, below: 2, beside: 6 };
/** Darker than this share of the skin's usual brightness are lashes that reach farther, creases and brows. */
const skinShare = 0.84;

/** Takes the weight of pixels that are too dark for skin. */
function keepSkin(colours: Colours, weights: Float32Array): void {
  const known = [...weights.keys()].filter((i) => weights[i]! > 0);
  const lights = known.map((i) => lightOf(colours, i)).sort((a, b) => a - b);
  const least = (lights[Math.floor(lights.length / 2)] ?? 0) * skinShare;
  for (const i of known) if (lightOf(colours, i) < least) weights[i] = 0;
}

/** The skin this near to the eye says how light a lid is, in millimetres: under brows and behind glasses it lies in shadow. */
const besideMm = { from: 1, to: 4 } as const;
/** How much darker than the skin farther away a lid may be, and which of the pixels beside the eye are skin, not lashes. */
const shadow = { least: 0.68, share: 0.8 } as const;

/** Makes a lid as dark as the skin just beside the eye. `inside`: how far each pixel is within the eye. */
function shadeLid(colours: Colours, source: SourcePicture, area: PhotoArea, inside: Float32Array): void {
  const mm = source.pxPerMm;
  const within = [...inside.keys()].filter((i) => inside[i]! > 0);
  const beside = [...inside.keys()].filter(
    (i) => inside[i]! < -besideMm.from * mm && inside[i]! > -besideMm.to * mm,
  );
  if (within.length === 0 || beside.length === 0) return;
  const ratios = [0, 1, 2].map((c) => {
    const lid = within.reduce((sum, i) => sum + colours.values[3 * i + c]!, 0) / within.length;
    const seen = beside
      .map((i) => colourAt(source, area.x + (i % area.width), area.y + Math.floor(i / area.width), c))
      .sort((a, b) => a - b)[Math.floor(beside.length * shadow.share)]!;
    return clamp(seen / Math.max(1, lid), shadow.least, 1);
  });
  inside.forEach((depth, i) => {
    const share = smooth(-7 * mm, -2 * mm, depth);
    for (let c = 0; c < 3; c++) colours.values[3 * i + c]! *= 1 - (1 - ratios[c]!) * share;
  });
}

/** The lid: skin from around the eye, in place of eye and lashes, with a little grain. */
function lidLayer(
  source: SourcePicture,
  { polygon }: EyeShape,
  eye: PhotoArea,
): { area: PhotoArea; image: ImageData } {
  const mm = source.pxPerMm;
  const ys = polygon.map(([, y]) => y);
  const x = Math.floor(eye.x - 7 * mm);
  const y = Math.floor(Math.min(...ys) - 7 * mm);
  const width = Math.ceil(eye.width + 14 * mm);
  const area = { x, y, width, height: Math.ceil(Math.max(...ys) + 6 * mm) - y };
  const corners = (polygon[0]![1] + polygon[8]![1]) / 2;
  const colours = coloursOf(source, area);
  const weights = new Float32Array(width * area.height);
  const inside = new Float32Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    const [px, py] = [x + (i % width), y + Math.floor(i / width)];
    inside[i] = distanceInside(polygon, px + 0.5, py + 0.5);
    const isBeside = px < polygon[0]![0] || px > polygon[8]![0];
    const reach = (py > corners ? lashesMm.below : isBeside ? lashesMm.beside : lashesMm.above) * mm;
    weights[i] = inside[i]! < -reach ? 1 : 0;
  }
  keepSkin(colours, weights);
  fillGaps(colours, weights);
  shadeLid(colours, source, area, inside);
  let seed = 7;
  for (let i = 0; i < weights.length; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    if (weights[i] === 0)
      for (let c = 0; c < 3; c++) colours.values[3 * i + c]! += (seed / 0x7fffffff - 0.5) * 5;
  }
  return { area, image: imageOf(colours, () => 1) };
}

/** Cuts an eye into layers. */
export function eyeLayers(source: SourcePicture, eye: EyeLandmarks): EyeLayers {
  const shape = shapeOf(source, eye);
  const area = areaAround(shape, source.pxPerMm);
  const measured = distances(area, shape);
  const sclera = coloursOf(source, area);
  const white = scleraOf(sclera, measured, shape.radius, source.pxPerMm);
  const iris = coloursOf(source, area);
  fillIris(source, iris, measured, area, shape);
  const lid = lidLayer(source, shape, area);
  return {
    eye: area,
    sclera: imageOf(sclera, () => 1),
    iris: imageOf(iris, (i) => 1 - smooth(shape.radius * 0.98, shape.radius * 1.14, measured.fromIris[i]!)),
    lidArea: lid.area,
    lid: lid.image,
    white,
  };
}

/** The rim of an iris blends with the edge of the lower lid: within this distance, it is still seen. */
const rimMm = 0.45;

/**
 * Moves the lower lids' landmarks down where the iris touches them. They bound the hole that the eye is seen through: what is left
 * of the iris outside of it would stay as a dark arc when the eye looks elsewhere. Changes `points`, which are in pixels.
 */
export function widenEyeHoles(points: Point[], pxPerMm: number): void {
  for (const { lower, iris, rim } of [leftEye, rightEye]) {
    const [cx, cy] = points[iris]!;
    const radius = rim.reduce((sum, i) => sum + Math.hypot(points[i]![0] - cx, points[i]![1] - cy) / 4, 0);
    for (const i of lower.slice(1, -1)) {
      const [x, y] = points[i]!;
      const beside = 1 - smooth(radius * 0.9, radius * 1.6, Math.abs(x - cx));
      const touches = 1 - smooth(radius + 0.5 * pxPerMm, radius + 2 * pxPerMm, y - cy);
      points[i] = [x, y + rimMm * pxPerMm * beside * touches];
    }
  }
}
