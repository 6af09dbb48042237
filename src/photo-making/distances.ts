/** Each pixel's distance from the nearest one of a mask, in pixels (a chamfer distance: a little too long between the axes). */
export function distancesFrom(mask: Uint8Array, width: number): Float32Array {
  const distances = Float32Array.from(mask, (isThere) => (isThere ? 0 : Infinity));
  const height = mask.length / width;
  const take = (i: number, x: number, y: number, dx: number, dy: number): void => {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) return;
    const way = distances[i + dy * width + dx]! + Math.hypot(dx, dy);
    if (way < distances[i]!) distances[i] = way;
  };
  const before = [
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
  ] as const;
  for (let i = 0; i < mask.length; i++)
    for (const [dx, dy] of before) take(i, i % width, Math.floor(i / width), dx, dy);
  for (let i = mask.length - 1; i >= 0; i--)
    for (const [dx, dy] of before) take(i, i % width, Math.floor(i / width), -dx, -dy);
  return distances;
}
