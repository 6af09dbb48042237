import { describe, expect, it } from "vitest";
import { SessionFiles } from "../../../../src/service/media/session/uploaded-speech.ts";

const mebibyte = 1024 * 1024;
const file = (mebibytes: number): Uint8Array => new Uint8Array(mebibytes * mebibyte);

describe("a session's uploaded files", () => {
  it("are found by their references until they are cleared", () => {
    const files = new SessionFiles();
    const bytes = Uint8Array.of(1, 2, 3);
    const reference = files.keep(bytes)!;
    expect(files.hold(reference)?.bytes).toBe(bytes);
    expect(files.hold("file-other")).toBeUndefined();
    files.clear();
    expect(files.hold(reference)).toBeUndefined();
  });

  it("may have 20 MB; the least recently used file is removed", () => {
    const files = new SessionFiles();
    const [first, second] = [5, 5, 5, 5].map((size) => files.keep(file(size))!);
    files.hold(first!)!.release();
    expect(files.keep(file(5))).toBeDefined();
    expect(files.hold(first!)).toBeDefined();
    expect(files.hold(second!)).toBeUndefined();
  });

  it("are at most 16, however small", () => {
    const files = new SessionFiles();
    const references = Array.from({ length: 17 }, () => files.keep(Uint8Array.of(1))!);
    expect(references.filter((reference) => files.hold(reference))).toHaveLength(16);
  });

  it("are never removed while they wait to be played: a new file is refused until there is space", () => {
    const files = new SessionFiles();
    const held = [5, 5, 5, 5].map((size) => files.hold(files.keep(file(size))!)!);
    expect(files.keep(file(1))).toBeUndefined();
    held[0]!.release();
    expect(files.keep(file(1))).toBeDefined();
  });
});
