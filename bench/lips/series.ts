/** A signal sampled at times in ms. */
export interface Series {
  timesMs: number[];
  values: number[];
}

function valueAt({ timesMs, values }: Series, timeMs: number): number {
  if (timeMs <= timesMs[0]! || timeMs >= timesMs.at(-1)!) return 0;
  const pace = (timesMs.at(-1)! - timesMs[0]!) / (timesMs.length - 1);
  const place = (timeMs - timesMs[0]!) / pace;
  const index = Math.floor(place);
  return (
    values[index]! + (values[Math.min(values.length - 1, index + 1)]! - values[index]!) * (place - index)
  );
}

/** The delay in ms at which the measured signal correlates best with the expected one; NaN if none correlates enough. */
export function delayOf(measured: Series, expected: Series, from: number, to: number): number {
  let best = { delay: Number.NaN, fit: 0.5 };
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const a = mean(measured.values);
  for (let delay = from; delay <= to; delay += 2) {
    const shifted = measured.timesMs.map((time) => valueAt(expected, time - delay));
    const b = mean(shifted);
    let [ab, aa, bb] = [0, 0, 0];
    measured.values.forEach((value, index) => {
      ab += (value - a) * (shifted[index]! - b);
      aa += (value - a) ** 2;
      bb += (shifted[index]! - b) ** 2;
    });
    const fit = ab / Math.sqrt(aa * bb || 1);
    if (fit > best.fit) best = { delay, fit };
  }
  return best.delay;
}

/** The part of a signal between two times. */
export function slice({ timesMs, values }: Series, from: number, to: number): Series {
  const kept = timesMs.flatMap((time, index) => (time >= from && time < to ? [index] : []));
  return { timesMs: kept.map((index) => timesMs[index]!), values: kept.map((index) => values[index]!) };
}
