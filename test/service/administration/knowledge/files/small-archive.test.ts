import { expect, test } from "vitest";
import { requireSmallArchive } from "../../../../../src/service/administration/knowledge/files/small-archive.ts";
import { zip } from "../../models/archives.ts";

const limits = { bytes: 100_000, entries: 3 };
const content = Buffer.alloc(60_000, "a");

test("an archive within the limits passes", async () => {
  const archive = zip([
    { name: "one", content },
    { name: "two", content: "b" },
  ]);
  await expect(requireSmallArchive(archive, limits)).resolves.toBeUndefined();
});

test.each([
  ["one file", [{ name: "one", content: Buffer.alloc(100_001) }]],
  [
    "two files",
    [
      { name: "one", content },
      { name: "two", content },
    ],
  ],
])("an archive that becomes too large by %s is refused", async (_by, entries) => {
  const archive = zip(entries);
  expect(archive.length).toBeLessThan(1_000);
  await expect(requireSmallArchive(archive, limits)).rejects.toThrow("too large when it is unpacked");
});

test("an archive that states another size is refused", async () => {
  const archive = zip([{ name: "one", content: Buffer.alloc(200_000), claimedSize: 10 }]);
  await expect(requireSmallArchive(archive, limits)).rejects.toThrow("damaged");
});

test("an archive of too many parts is refused", async () => {
  const archive = zip(["1", "2", "3", "4"].map((name) => ({ name, content: "" })));
  await expect(requireSmallArchive(archive, limits)).rejects.toThrow("too many parts");
});
