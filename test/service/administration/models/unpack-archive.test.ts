import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { requireSmallArchive } from "../../../../src/service/administration/knowledge/files/small-archive.ts";
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

const expectRefused = (archive: Buffer, words = /./, allowed = limits) =>
  expect(unpack(archive, allowed)).rejects.toMatchObject({
    ...{ code: "archive_refused", message: expect.stringMatching(words) as string },
  });

const text = (name: string) => readFileSync(join(folder, name), "utf8");

const formats: [string, (entries: ArchiveEntry[]) => Promise<Buffer>][] = [
  ["zip", (entries) => Promise.resolve(zip(entries))],
  ...(hasBzip2 ? [["tar.bz2", tarBzip2] satisfies [string, typeof tarBzip2]] : []),
];

describe.each(formats)("%s", (_, pack) => {
  test("files and folders are unpacked", async () => {
    const large = Buffer.alloc(200_000, 7);
    const archive = await pack([
      { name: "whisper/" },
      { name: "whisper/tokens.txt", content: "a 0\n" },
      { name: "whisper/deep/er/encoder.onnx", content: large },
      { name: "whisper/empty", content: "" },
    ]);
    await unpack(archive);
    expect([text("whisper/tokens.txt"), text("whisper/empty")]).toEqual(["a 0\n", ""]);
    expect(readFileSync(join(folder, "whisper/deep/er/encoder.onnx")).equals(large)).toBe(true);
  });

  const numbers = Buffer.from(Array.from({ length: 90_000 }, (_n, at) => (at * at) % 251));
  const escaping = ["../escaped.txt", "whisper/../../escaped.txt", "/tmp/visavis-escaped.txt"];

  test.each<[what: string, entries: ArchiveEntry[], words?: RegExp]>([
    ...[...escaping, "a\\..\\escaped.txt"].map((name): [string, ArchiveEntry[]] => [
      `a path outside of the folder: ${name}`,
      [{ name, content: "x" }],
    ]),
    [
      "a symbolic link, and nothing is written through it",
      [
        { name: "link", linkTo: ".." },
        { name: "link/escaped.txt", content: "x" },
      ],
      /is a link/,
    ],
    [
      "too many entries",
      Array.from({ length: 51 }, (_none, at) => ({ name: `${at}.txt`, content: "x" })),
      /more than 50 files and folders/,
    ],
    ["large files", [{ name: "zeros", content: Buffer.alloc(400_000) }], /more than 300000 bytes/],
  ])("refused is what has %s", async (_what, entries, words) => {
    const archive = await pack(entries);
    expect(archive.length).toBeLessThan(50_000);
    await expectRefused(archive, words);
    expect(readdirSync(outside).sort()).toEqual(["archive", "model"]);
    expect(existsSync("/tmp/visavis-escaped.txt")).toBe(false);
  });

  test("refused are two files of one name", async () => {
    const entries = ["first", "second"].map((content) => ({ name: "one.txt", content }));
    await expectRefused(await pack(entries));
    expect(text("one.txt")).toBe("first");
  });

  test("refused is a damaged archive", async () => {
    const archive = await pack([{ name: "one.txt", content: numbers }]);
    await expectRefused(archive.subarray(0, archive.length / 2));
    const changed = Buffer.from(archive);
    changed.fill(0x55, 300, 340);
    await expectRefused(changed);
  });
});

test("a zip that claims a smaller size than it has is refused", async () => {
  await expectRefused(zip([{ name: "zeros", content: Buffer.alloc(400_000), claimedSize: 10 }]));
});

describe.skipIf(!hasBzip2)("tar.bz2 [needs bzip2]", () => {
  test("a hard link is refused", async () => {
    const archive = await tarBzip2([{ name: "passwd", linkTo: "/etc/passwd", isHard: true }]);
    await expectRefused(archive, /is a link/);
  });

  test("a bomb is refused before it fills the memory", async () => {
    const archive = Buffer.concat(Array.from({ length: 5 }, () => bzip2(Buffer.alloc(400_000))));
    expect(archive.length).toBeLessThan(1_000);
    const words = /a small part of it would become very large/;
    await expectRefused(archive, words, { ...limits, bytes: 1e12 });
  });

  test("something else inside of bzip2 is refused", async () => {
    await expectRefused(bzip2(Buffer.from("no tar at all ".repeat(100))));
  });
});

describe("an archive in memory", () => {
  const few = { bytes: 100_000, entries: 3 };
  const content = Buffer.alloc(60_000, "a");
  const large = "too large when it is unpacked";
  type Entries = Parameters<typeof zip>[0];

  test("within the limits passes", async () => {
    const archive = zip([
      { name: "one", content },
      { name: "two", content: "b" },
    ]);
    await expect(requireSmallArchive(archive, few)).resolves.toBeUndefined();
  });

  test.each<[what: string, entries: Entries, words: string]>([
    ["one file that is too large", [{ name: "one", content: Buffer.alloc(100_001) }], large],
    ["two files that are too large", ["one", "two"].map((name) => ({ name, content })), large],
    [
      "another size than it states",
      [{ name: "one", content: Buffer.alloc(200_000), claimedSize: 10 }],
      "damaged",
    ],
    ["too many parts", ["1", "2", "3", "4"].map((name) => ({ name, content: "" })), "too many parts"],
  ])("with %s is refused", async (_what, entries, words) => {
    const archive = zip(entries);
    expect(archive.length).toBeLessThan(1_000);
    await expect(requireSmallArchive(archive, few)).rejects.toThrow(words);
  });
});
