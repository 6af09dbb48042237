/** A colour in sRGB, each part 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

/** A colour in OKLCH: lightness 0 to 1, chroma, hue in radians. */
interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** The surfaces that the widget's accent stands on (`widget/styles/tokens.css`). */
const surfaces = { light: "#fdfcfa", dark: "#1d1b19" } as const;

/** The colour of `#rgb` or `#rrggbb`; null for any other text. */
export function colorOf(text: string): Rgb | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text)?.slice(1);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)?.slice(1);
  const parts = short?.map((digit) => digit + digit) ?? long;
  if (!parts) return null;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16) / 255);
  return [red, green, blue];
}

const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;

const linearOf = ([red, green, blue]: Rgb): Rgb => [toLinear(red), toLinear(green), toLinear(blue)];

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

// The matrices are those of CSS Color 4, section 10.2.
function toOklch(color: Rgb): Oklch {
  const [r, g, b] = linearOf(color);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b2 = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, b2),
    h: Math.atan2(b2, a),
  };
}

function toRgb({ l: lightness, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const [red = 0, green = 0, blue = 0] = linear.map((part) => fromLinear(Math.min(Math.max(part, 0), 1)));
  return [red, green, blue];
}

/** An owner's colour as the widget shows it, so that words on it stay readable (`--visavis-accent` in `widget/styles/tokens.css`). */
function accentOf(brand: Rgb, theme: keyof typeof surfaces): Rgb {
  const { l, c, h } = toOklch(brand);
  return theme === "light"
    ? toRgb({ l: Math.min(Math.max(l, 0.2), 0.46), c: Math.min(c, 0.17), h })
    : toRgb({ l: 0.77, c: Math.min(c, 0.13), h });
}

/** How readable an owner's colour is. */
export interface Readability {
  /** The contrast of words in the colour that the widget makes of it. */
  readonly light: number;
  readonly dark: number;
  /** The colour itself is too light for words, so the widget makes it darker. */
  readonly isShaded: boolean;
}

/** How readable a colour is in the widget; null if the text is no colour. */
export function readability(text: string): Readability | null {
  const brand = colorOf(text);
  if (!brand) return null;
  const on = (theme: keyof typeof surfaces): number =>
    contrast(accentOf(brand, theme), colorOf(surfaces[theme]) ?? [0, 0, 0]);
  return { light: on("light"), dark: on("dark"), isShaded: toOklch(brand).l > 0.48 };
}
