const lanes = 4;
const floatBytes: usize = 4;
const sampleBytes: usize = 2;

@inline
function sumOf(values: v128): f32 {
  const pairs = f32x4.add(values, v128.shuffle<f32>(values, values, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/**
 * Writes 16-bit outputs of a polyphase filter: each is the sum of `width` inputs (a multiple of four), weighted by the row of its phase.
 * Inputs and weights are 32-bit floats; the first output begins at `phase` in the first input. Places are byte offsets.
 */
export function filter(
  out: usize,
  count: i32,
  inputs: usize,
  weights: usize,
  width: i32,
  phase: i32,
  step: i32,
  phases: i32,
  rows: i32,
): void {
  const rowsPerPhase = <f64>rows / <f64>phases;
  for (let index = 0; index < count; index++) {
    let input = inputs;
    let weight = weights + <usize>(<i32>(<f64>phase * rowsPerPhase) * width) * floatBytes;
    let sum = f32x4.splat(0);
    for (let tap = 0; tap < width; tap += lanes) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(input), v128.load(weight)));
      input += lanes * floatBytes;
      weight += lanes * floatBytes;
    }
    const value = nearest<f32>(sumOf(sum));
    store<i16>(out, <i16>max<f32>(-32768, min<f32>(32767, value)));
    out += sampleBytes;
    phase += step;
    for (; phase >= phases; phase -= phases) inputs += floatBytes;
  }
}
