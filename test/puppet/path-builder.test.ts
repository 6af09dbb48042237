import { createCanvas, Path2D } from "@napi-rs/canvas";
import { expect, it } from "vitest";
import { createRig } from "../../src/puppet/index.ts";
import { characterNames, loadCharacter } from "./load-character.ts";

/** The paths that are stroked, and the ones that were closed. */
function draw(name: string): { stroked: Set<object>; closed: Set<object>; filled: Set<object> } {
  const [stroked, closed, filled] = [new Set<object>(), new Set<object>(), new Set<object>()];
  class WatchedPath extends Path2D {
    override closePath(): void {
      closed.add(this);
      super.closePath();
    }
  }
  const context = createCanvas(256, 256).getContext("2d");
  const { stroke, fill } = context;
  context.stroke = (path?: Path2D) => {
    if (path) stroked.add(path);
    stroke.call(context, path as Path2D);
  };
  context.fill = (...given: unknown[]) => {
    filled.add(given[0] as object);
    (fill as (...given: unknown[]) => void).apply(context, given);
  };
  createRig(loadCharacter(name), { Path2D: WatchedPath }).draw(context, {}, { scale: 0.25 });
  return { stroked, closed, filled };
}

it.each(characterNames)(
  "%s closes only what is stroked: closing costs browsers the square of the subpaths",
  (name) => {
    const { stroked, closed, filled } = draw(name);
    expect(filled.size).toBeGreaterThan(20);
    expect([...closed].filter((path) => !stroked.has(path))).toEqual([]);
  },
);
