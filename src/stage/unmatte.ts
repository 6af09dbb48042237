import { alphaFloor, alphaSpan, chromaFar, chromaNear, type Matte, type Rgb } from "./matte.ts";

/** Pixels as a canvas gives them: red, green, blue, alpha, 0 to 255 each, alpha not multiplied in. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * Frees the pixels of a video frame of their matte, in place; of packed alpha the upper half is the result. The same
 * arithmetic as the shader's, but with the alpha divided out of the colour, as a 2D canvas takes it.
 */
export function unmatte(pixels: Pixels, { mode, key }: Matte): void {
  if (mode === "packed-alpha") unpackAlpha(pixels);
  else if (mode === "chroma") removeKey(pixels, key);
}

function unpackAlpha({ data, width, height }: Pixels): void {
  const half = width * Math.floor(height / 2) * 4;
  for (let at = 0; at < half; at += 4) {
    const alpha = (data[at + half + 1]! / 255 - alphaFloor) / alphaSpan;
    data[at + 3] = alpha * 255;
    if (alpha <= 0 || alpha >= 1) continue;
    // The array's own clamping holds the colour to the alpha.
    for (let channel = at; channel < at + 3; channel++) data[channel] = data[channel]! / alpha;
  }
}

function removeKey({ data }: Pixels, key: Rgb): void {
  const [keyBlue, keyRed] = chroma(key[0] * 255, key[1] * 255, key[2] * 255);
  for (let at = 0; at < data.length; at += 4) {
    const [blue, red] = chroma(data[at]!, data[at + 1]!, data[at + 2]!);
    const distance = Math.hypot(blue - keyBlue, red - keyRed) / 255;
    const t = Math.min(Math.max((distance - chromaNear) / (chromaFar - chromaNear), 0), 1);
    const alpha = t * t * (3 - 2 * t);
    data[at + 3] = alpha * 255;
    if (alpha > 0)
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = (data[at + channel]! - key[channel]! * 255 * (1 - alpha)) / alpha;
  }
}

const chroma = (red: number, green: number, blue: number): [number, number] => [
  -0.169 * red - 0.331 * green + 0.5 * blue,
  0.5 * red - 0.419 * green - 0.081 * blue,
];
