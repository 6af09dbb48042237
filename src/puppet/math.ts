/** `value` limited to `low`…`high`. */
export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

/** The smooth step from 0 at `from` to 1 at `to`; `from > to` reverses it (character format, Helpers). */
export function smooth(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}
