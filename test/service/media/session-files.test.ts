import { describe, expect, it } from "vitest";
import { SessionFiles } from "../../../src/service/media/session-files.ts";

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

  it("take 20 MB; the one that is longest unused gives place", () => {
    const files = new SessionFiles();
    const [first, second] = [5, 5, 5, 5].map((size) => files.keep(file(size))!);
    files.hold(first!)!.release();
    expect(files.keep(file(5))).toBeDefined();
    expect(files.hold(first!)).toBeDefined();
    expect(files.hold(second!)).toBeUndefined();
  });

  it("are 16 at most, however small", () => {
    const files = new SessionFiles();
    const references = Array.from({ length: 17 }, () => files.keep(Uint8Array.of(1))!);
    expect(references.filter((reference) => files.hold(reference))).toHaveLength(16);
  });

  it("lose nothing that waits to be played: a new one is refused until there is room", () => {
    const files = new SessionFiles();
    const held = [5, 5, 5, 5].map((size) => files.hold(files.keep(file(size))!)!);
    expect(files.keep(file(1))).toBeUndefined();
    held[0]!.release();
    expect(files.keep(file(1))).toBeDefined();
  });
});
