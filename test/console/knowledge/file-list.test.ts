import { beforeAll, expect, test } from "vitest";
import { ApiError } from "../../../src/console/api/api-error.ts";
import { FileList, secondsLeft } from "../../../src/console/knowledge/file-list.ts";
import { loadPageTexts } from "../../../src/console/texts/texts.ts";
import { knowledgeFileMaxBytes, type Knowledge } from "../../../src/protocol/console/knowledge.ts";

beforeAll(() => loadPageTexts(["knowledge"]));

const known = { passages: 4 } as Knowledge;
const file = (name: string, size = 10): File =>
  Object.defineProperty(new File(["x"], name), "size", { value: size });
const states = (list: FileList): string[] => list.files.map(({ name, state }) => `${name} ${state.status}`);

test("files are sent one after the other, and one that fails does not stop the next", async () => {
  const sent: string[] = [];
  const list = new FileList({
    send: ({ name }) => {
      sent.push(name);
      return name === "bad.pdf"
        ? Promise.reject(new ApiError("invalid", { fields: { file: "Only pictures in it, no words." } }))
        : Promise.resolve(known);
    },
    onChange: () => undefined,
    nowMs: () => 0,
  });
  await list.add([file("bad.pdf"), file("good.txt")]);
  expect(sent).toEqual(["bad.pdf", "good.txt"]);
  expect(states(list)).toEqual(["bad.pdf failed", "good.txt done"]);
  expect(list.files[0]?.state).toMatchObject({ problem: "Only pictures in it, no words." });
});

test("a file that is too large is not sent", async () => {
  const list = new FileList({
    send: () => Promise.reject(new Error("It was sent.")),
    onChange: () => undefined,
    nowMs: () => 0,
  });
  await list.add([file("huge.pdf", knowledgeFileMaxBytes + 1)]);
  expect(states(list)).toEqual(["huge.pdf failed"]);
});

test("removing a file cancels it", async () => {
  let aborted = false;
  const list = new FileList({
    send: (_file, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new DOMException("Cancelled.", "AbortError"));
        });
      }),
    onChange: () => undefined,
    nowMs: () => 0,
  });
  const all = list.add([file("long.pdf")]);
  await expect.poll(() => states(list)).toEqual(["long.pdf sending"]);
  list.remove(1);
  await all;
  expect([aborted, states(list)]).toEqual([true, []]);
});

test("the seconds that are left follow from what was sent, once that says something", () => {
  expect(secondsLeft(0.5, 0, 4_000)).toBe(4);
  expect(secondsLeft(0.01, 0, 4_000)).toBeNull();
  expect(secondsLeft(0.5, 0, 500)).toBeNull();
});
