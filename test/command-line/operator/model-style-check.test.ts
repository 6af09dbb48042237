import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

let visavis: ReturnType<typeof commandLine>;

beforeEach(() => {
  visavis = commandLine(temporaryFolder());
});

const character = { name: "character", file: "/characters/mina.json" };
const poster = { name: "poster", file: "/characters/mina-poster.webp" };
const porthole = { name: "porthole", file: "https://pictures.example/porthole.webp" };

const put = (fields: object) => visavis(["model-style", "put"], { name: "own", model: "own", ...fields });

test("a style with a character that can be drawn is stored, with a warning about what pages would miss", async () => {
  expect(await put({ files: [character, poster, porthole] })).toMatchObject({ failure: null, noted: "" });
  const { failure, noted } = await put({ files: [character] });
  expect(failure).toBeNull();
  expect(noted).toMatch(/no poster[^]*no porthole/);
});

test.each([
  ["no character", { files: [poster] }, /^files: .*"character"/],
  ["nothing at all", {}, /^files: /],
  [
    "a character elsewhere",
    { files: [{ ...character, file: "https://a.example/c.json" }] },
    /^files\.0\.file: /,
  ],
  ["a missing character file", { files: [{ ...character, file: "/characters/nobody.json" }] }, /no file/],
  ["a character outside of the folder", { files: [{ ...character, file: "/../package.json" }] }, /no file/],
  ["a folder", { files: [{ ...character, file: "/characters" }] }, /^files\.0\.file: .*no file/],
  [
    "a picture as character",
    { files: [poster, { ...character, file: poster.file }] },
    /^files\.1\.file: .*drawn/,
  ],
  [
    "a missing picture",
    { files: [character, { ...poster, file: "/characters/none.webp" }] },
    /^files\.1\.file: .*no file/,
  ],
  [
    "a picture by http",
    { files: [character, { ...poster, file: "http://a.example/p.webp" }] },
    /^files\.1\.file: /,
  ],
  ["a file that is not there", { files: [character], file: "/characters/none.webp" }, /^file: .*no file/],
  [
    "an unknown matte",
    { files: [character], configs: [{ modelstyleconfig_id: "m", key: "matte", value: "green" }] },
    /^configs\.0\.value: /,
  ],
])("a style with %s is refused", async (_, fields, reason) => {
  const { failure, printed } = await put(fields);
  expect(failure).toMatch(reason);
  expect(printed).toBe("");
  expect((await visavis(["model-style", "list"])).printed).not.toMatch(/^own /m);
});

test("a style of another platform needs no character, because its own clients draw it", async () => {
  expect(await put({ platform_type: "ios" })).toMatchObject({ failure: null, noted: "" });
});
