import { describe, expect, it } from "vitest";
import { AffineReference, type AffineFit, type Matrix } from "../../src/puppet/pictures/affine.ts";

/** Points on a wavy circle, more than a fit looks at first. */
const points = Array.from({ length: 200 }, (_, i) => {
  const angle = (2 * Math.PI * (i >> 1)) / 100;
  const radius = 40 + 6 * Math.sin(5 * angle);
  return 100 + radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
});

function moved([a, b, c, d, e, f]: Matrix): number[] {
  return points.map((_, i) => {
    const [x, y] = [points[i - (i % 2)]!, points[i - (i % 2) + 1]!];
    return i % 2 === 0 ? a * x + c * y + e : b * x + d * y + f;
  });
}

const turned: Matrix = [0.98, 0.12, -0.12, 0.98, 3, -7];

function fitted(places: number[], limit: number): AffineFit {
  const fit = new AffineReference(points).fit(places, limit);
  if (!fit) throw new Error("There is no fit.");
  return fit;
}

describe("an affine fit", () => {
  it("finds the map of points that move together", () => {
    const { matrix, residual } = fitted(moved(turned), 0.5);
    // A point is off by what the diagonal's small value takes away.
    expect(residual).toBeLessThan(0.05);
    matrix.forEach((value, i) => expect(value).toBeCloseTo(turned[i]!, i < 4 ? 2 : 0));
  });

  it("reports the largest distance, also of a point that is not among the few it looks at first", () => {
    const places = moved(turned);
    places[103]! += 0.4;
    const { residual } = fitted(places, 0.5);
    expect(residual).toBeGreaterThan(0.35);
    expect(residual).toBeLessThan(0.5);
  });

  it("finds none for points that do not move together, or if one of them is too far off", () => {
    const reference = new AffineReference(points);
    expect(
      reference.fit(
        moved(turned).map((place, i) => place + 4 * Math.sin(i)),
        1.1,
      ),
    ).toBeUndefined();
    const places = moved(turned);
    places[103]! += 1.2;
    expect(reference.fit(places, 1.1)).toBeUndefined();
    expect(reference.fit(places, 1.3)?.residual).toBeGreaterThan(1.1);
  });
});
