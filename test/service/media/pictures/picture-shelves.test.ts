import { expect, test } from "vitest";
import { PictureShelves } from "../../../../src/service/media/pictures/character-pictures.ts";

interface Picture {
  name: string;
  release: () => void;
}

function shelvesOf() {
  const shelves = new PictureShelves<Picture>();
  const closed: string[] = [];
  let made = 0;
  const take = (key: string): Picture =>
    shelves.take(key, () => {
      const name = `${key}${++made}`;
      return { newPicture: (release) => ({ name, release }), close: () => closed.push(name) };
    });
  return { shelves, closed, take };
}

test("pictures of one key share a stock", () => {
  const { shelves, take } = shelvesOf();
  expect([take("a").name, take("a").name, take("b").name]).toEqual(["a1", "a1", "b2"]);
  expect([shelves.has("a"), shelves.has("c")]).toEqual([true, false]);
});

test("of unused stocks, the oldest are closed when there are more than four; those in use stay", () => {
  const { closed, take } = shelvesOf();
  take("used");
  for (const key of ["a", "b", "c", "d", "e", "f"]) take(key).release();
  expect(closed).toEqual(["a2", "b3"]);
  expect(take("a").name).toBe("a8");
});

test("after a stock was dropped, the next picture has a new one", () => {
  const { shelves, take } = shelvesOf();
  take("a");
  shelves.drop("a");
  expect(take("a").name).toBe("a2");
});
