import { expect, test } from "vitest";
import { keepUnitIndexes } from "../../../../src/service/knowledge/matching/unit-index.ts";

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "a holiday"];
const documents = [
  { title: "Hours", text: days.map((day) => `We are open from nine to five on ${day}.`).join(" ") },
];

test("while the encoder is not done with documents, they are found by their words alone", async () => {
  let finish: (vectors: []) => void = () => undefined;
  const encoded = new Promise<[]>((resolve) => (finish = resolve));
  const indexOf = keepUnitIndexes(() => encoded, 1);
  expect(await indexOf(documents)).toMatchObject({ encode: null });
  finish([]);
  await expect.poll(async () => (await indexOf(documents)).encode).not.toBeNull();
});

test("an index that could not be built is built again by the next question, and then kept", async () => {
  let failures = 1;
  const indexOf = keepUnitIndexes(() =>
    failures-- > 0 ? Promise.reject(new Error("No encoder.")) : Promise.resolve([]),
  );
  await expect(indexOf(documents)).rejects.toThrow("No encoder.");
  const index = await indexOf(documents);
  expect(index.units).toHaveLength(days.length);
  expect(await indexOf(documents)).toBe(index);
});
