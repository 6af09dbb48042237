import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { formatOf, unpackArchive } from "../../../../src/service/administration/models/unpack-archive.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { bzip2, hasBzip2, tarBzip2, zip, type ArchiveEntry } from "./archives.ts";

let folder: string;
let outside: string;

beforeEach(() => {
  outside = temporaryFolder();
  folder = join(outside, "model");
  mkdirSync(folder);
});

const limits = { bytes: 300_000, entries: 50, burst: 1_000_000 };

async function unpack(archive: Buffer, allowed = limits): Promise<void> {
  const file = join(outside, "archive");
  writeFileSync(file, archive);
  const format = await formatOf(file);
  if (format === "single file") throw new Error("no archive");
  await unpackArchive(file, folder, format, allowed);
}

const refusal = (words: RegExp) => ({
  code: "archive_refused",
  message: expect.stringMatching(words) as string,
});

const text = (name: string) => readFileSync(join(folder, name), "utf8");

const formats: [string, (entries: ArchiveEntry[]) => Promise<Buffer>][] = [
  ["zip", (entries) => Promise.resolve(zip(entries))],
  ...(hasBzip2 ? [["tar.bz2", tarBzip2] satisfies [string, typeof tarBzip2]] : []),
];

describe.each(formats)("%s", (_, pack) => {
  test("files and folders are unpacked", async () => {
    const large = Buffer.alloc(200_000, 7);
    await unpack(
      await pack([
        { name: "whisper/" },
        { name: "whisper/tokens.txt", content: "a 0\n" },
        { name: "whisper/deep/er/encoder.onnx", content: large },
        { name: "whisper/empty", content: "" },
      ]),
    );
    expect(text("whisper/tokens.txt")).toBe("a 0\n");
    expect(readFileSync(join(folder, "whisper/deep/er/encoder.onnx")).equals(large)).toBe(true);
    expect(text("whisper/empty")).toBe("");
  });

  test.each([
    "../escaped.txt",
    "whisper/../../escaped.txt",
    "/tmp/visavis-escaped.txt",
    "a\\..\\escaped.txt",
  ])("a path outside of the folder is refused: %s", async (name) => {
    await expect(unpack(await pack([{ name, content: "x" }]))).rejects.toMatchObject({
      code: "archive_refused",
    });
    expect(readdirSync(outside).sort()).toEqual(["archive", "model"]);
    expect(existsSync("/tmp/visavis-escaped.txt")).toBe(false);
  });

  test("a symbolic link is refused, and nothing is written through it", async () => {
    const archive = await pack([
      { name: "link", linkTo: ".." },
      { name: "link/escaped.txt", content: "x" },
    ]);
    await expect(unpack(archive)).rejects.toMatchObject(refusal(/is a link/));
    expect(readdirSync(outside).sort()).toEqual(["archive", "model"]);
  });

  test("two files of one name are refused", async () => {
    const archive = await pack([
      { name: "one.txt", content: "first" },
      { name: "one.txt", content: "second" },
    ]);
    await expect(unpack(archive)).rejects.toMatchObject({ code: "archive_refused" });
    expect(text("one.txt")).toBe("first");
  });

  test("too many entries are refused", async () => {
    const entries = Array.from({ length: 51 }, (_none, at) => ({ name: `${at}.txt`, content: "x" }));
    await expect(unpack(await pack(entries))).rejects.toMatchObject(
      refusal(/more than 50 files and folders/),
    );
  });

  test("a small archive with large files is refused", async () => {
    const archive = await pack([{ name: "zeros", content: Buffer.alloc(400_000) }]);
    expect(archive.length).toBeLessThan(50_000);
    await expect(unpack(archive)).rejects.toMatchObject(refusal(/more than 300000 bytes/));
  });

  test("a damaged archive is refused", async () => {
    const archive = await pack([
      { name: "one.txt", content: Buffer.from(Array.from({ length: 90_000 }, (_n, at) => (at * at) % 251)) },
    ]);
    await expect(unpack(archive.subarray(0, archive.length / 2))).rejects.toMatchObject({
      code: "archive_refused",
    });
    const changed = Buffer.from(archive);
    changed.fill(0x55, 300, 340);
    await expect(unpack(changed)).rejects.toMatchObject({ code: "archive_refused" });
  });
});

test("a zip that claims a smaller size than it has is refused", async () => {
  const archive = zip([{ name: "zeros", content: Buffer.alloc(400_000), claimedSize: 10 }]);
  await expect(unpack(archive)).rejects.toMatchObject({ code: "archive_refused" });
});

describe.skipIf(!hasBzip2)("tar.bz2 [needs bzip2]", () => {
  test("a hard link is refused", async () => {
    const archive = await tarBzip2([{ name: "passwd", linkTo: "/etc/passwd", isHard: true }]);
    await expect(unpack(archive)).rejects.toMatchObject(refusal(/is a link/));
  });

  test("a bomb is refused before it fills the memory", async () => {
    const archive = Buffer.concat(Array.from({ length: 5 }, () => bzip2(Buffer.alloc(400_000))));
    expect(archive.length).toBeLessThan(1_000);
    await expect(unpack(archive, { ...limits, bytes: 1e12 })).rejects.toMatchObject(
      refusal(/a small part of it would become very large/),
    );
  });

  test("something else inside of bzip2 is refused", async () => {
    await expect(unpack(bzip2(Buffer.from("no tar at all ".repeat(100))))).rejects.toMatchObject({
      code: "archive_refused",
    });
  });
});
