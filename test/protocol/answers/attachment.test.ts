import { expect, test } from "vitest";
import { attachmentTypeOf, readAttachmentKinds } from "../../../src/protocol/answers/attachment.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ["\x89PNG\r\n\x1a\n....", "image/png"],
  ["\xff\xd8\xff\xe0....", "image/jpeg"],
  ["RIFF....WEBPVP8 ", "image/webp"],
  ["GIF89a....", "image/gif"],
  ["%PDF-1.7", "application/pdf"],
  ["RIFF....WAVEfmt ", null],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", null],
  [" %PDF-1.7", null],
  ["", null],
])("the content %j is of the type %s", (content, type) => {
  expect(attachmentTypeOf(bytes(content))).toBe(type);
});

test("a context's kinds are none where they are not known", () => {
  expect(readAttachmentKinds(["pdf"])).toEqual(["pdf"]);
  for (const unknown of [undefined, true, ["exe"]]) expect(readAttachmentKinds(unknown)).toEqual([]);
});
