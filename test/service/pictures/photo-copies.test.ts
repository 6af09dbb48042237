import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PhotoCopies } from "../../../src/service/pictures/photo-copies.ts";
import { photoFileName } from "../../../src/service/pictures/photo-file.ts";

const id = "0f8fad5b-d9cb-469f-a165-70867728950e";

function storeWith(text: string) {
  const stored = new Map([[photoFileName(id, "character"), new TextEncoder().encode(text)]]);
  const copies = new PhotoCopies({
    read: (name) => Promise.resolve(stored.get(name) ?? null),
    size: (name) => Promise.resolve(stored.get(name)?.length ?? null),
  });
  return { stored, copies };
}

describe("copies of photo characters", () => {
  it("has the stored character in a file that nobody else on the machine can read", async () => {
    const { copies } = storeWith("face");
    const path = (await copies.path(id)) ?? "";
    expect(readFileSync(path, "utf8")).toBe("face");
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(await copies.path(id)).toBe(path);
  });

  it("removes the copy of a character that is not stored any more", async () => {
    const { copies, stored } = storeWith("face");
    const path = (await copies.path(id)) ?? "";
    await copies.removeOrphans();
    expect(existsSync(path)).toBe(true);
    stored.clear();
    await copies.removeOrphans();
    expect(existsSync(path)).toBe(false);
  });

  it("removes it as well when somebody asks for the removed character first", async () => {
    const { copies, stored } = storeWith("face");
    const path = (await copies.path(id)) ?? "";
    stored.clear();
    expect(await copies.path(id)).toBeNull();
    expect(existsSync(path)).toBe(false);
  });
});
