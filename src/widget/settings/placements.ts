import type { Placement } from "../../protocol/settings/embed-config.ts";

/** Where in the window each placement is: 0 is left or top, 1 is right or bottom. */
const points: Readonly<Record<Placement, readonly [x: number, y: number]>> = {
  "bottom-right": [1, 1],
  "bottom-left": [0, 1],
  "top-right": [1, 0],
  "top-left": [0, 0],
  "bottom-center": [0.5, 1],
  "center-right": [1, 0.5],
};

/** Whether a value is the name of a placement. */
export function isPlacement(value: unknown): value is Placement {
  return typeof value === "string" && Object.hasOwn(points, value);
}

function nearestBy(distance: (place: Placement) => number): Placement | null {
  const places = Object.keys(points).filter(isPlacement);
  const [nearest] = places.sort((a, b) => distance(a) - distance(b));
  return nearest !== undefined && distance(nearest) < Infinity ? nearest : null;
}

/** The placement nearest to a point, which is given in widths and heights of the window. */
export function nearestPlacement(x: number, y: number): Placement | null {
  return nearestBy((place) => Math.hypot(points[place][0] - x, points[place][1] - y));
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next placement in the direction of an arrow key; null if there is none, or for another key. */
export function placementTowards(place: string, key: string): Placement | null {
  const direction = directions[key];
  if (!direction || !isPlacement(place)) return null;
  const [x, y] = points[place];
  return nearestBy((other) => {
    const [dx, dy] = [points[other][0] - x, points[other][1] - y];
    const along = dx * direction[0] + dy * direction[1];
    const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    return along > 0 ? along + 2 * across : Infinity;
  });
}
