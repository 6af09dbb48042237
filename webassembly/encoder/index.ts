const floatBytes: usize = 4;
const rowsAtOnce = 4;
const columnsAtOnce = 8;

@inline
function add(sums: v128, input: usize, weights: v128): v128 {
  return f32x4.add(sums, f32x4.mul(v128.load32_splat(input), weights));
}

@inline
function write(out: usize, first: v128, second: v128, scales: usize, bias: usize): void {
  v128.store(out, f32x4.add(v128.load(bias), f32x4.mul(first, v128.load(scales))));
  v128.store(out, f32x4.add(v128.load(bias, 16), f32x4.mul(second, v128.load(scales, 16))), 16);
}

/**
 * Multiplies `rows` of `width` floats with a matrix of bytes, which lies in tiles of eight columns one after the other. Each of its
 * `columns` (a multiple of eight) has a scale and a bias, floats. Places are byte offsets.
 */
export function multiply(
  out: usize,
  inputs: usize,
  rows: i32,
  width: i32,
  weights: usize,
  scales: usize,
  bias: usize,
  columns: i32,
): void {
  const rowBytes = <usize>width * floatBytes;
  const outBytes = <usize>columns * floatBytes;
  for (let row = 0; row < rows; row += rowsAtOnce) {
    const left = rows - row;
    const input0 = inputs + <usize>row * rowBytes;
    // Rows that are not there are computed as the first one, and not written.
    const input1 = left > 1 ? input0 + rowBytes : input0;
    const input2 = left > 2 ? input0 + 2 * rowBytes : input0;
    const input3 = left > 3 ? input0 + 3 * rowBytes : input0;
    for (let column = 0; column < columns; column += columnsAtOnce) {
      let a0 = f32x4.splat(0), b0 = a0, a1 = a0, b1 = a0, a2 = a0, b2 = a0, a3 = a0, b3 = a0;
      let weight = weights + <usize>(column * width);
      for (let at: usize = 0; at < rowBytes; at += floatBytes) {
        const bytes = v128.load8x8_s(weight);
        const first = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(bytes));
        const second = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(bytes));
        weight += columnsAtOnce;
        a0 = add(a0, input0 + at, first);
        b0 = add(b0, input0 + at, second);
        a1 = add(a1, input1 + at, first);
        b1 = add(b1, input1 + at, second);
        a2 = add(a2, input2 + at, first);
        b2 = add(b2, input2 + at, second);
        a3 = add(a3, input3 + at, first);
        b3 = add(b3, input3 + at, second);
      }
      const scale = scales + <usize>column * floatBytes;
      const base = bias + <usize>column * floatBytes;
      const place = out + <usize>row * outBytes + <usize>column * floatBytes;
      write(place, a0, b0, scale, base);
      if (left > 1) write(place + outBytes, a1, b1, scale, base);
      if (left > 2) write(place + 2 * outBytes, a2, b2, scale, base);
      if (left > 3) write(place + 3 * outBytes, a3, b3, scale, base);
    }
  }
}
