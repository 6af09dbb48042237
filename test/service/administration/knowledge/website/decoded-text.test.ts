import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodedText } from "../../../../../src/service/administration/knowledge/website/decoded-text.ts";

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** "Öffnungszeiten – 5 €" in windows-1252. */
const western = "\xd6ffnungszeiten \x96 5 \x80";
/** 영업시간: 오전 아홉시 */
const korean = "\xbf\xb5\xbe\xf7\xbd\xc3\xb0\xa3: \xbf\xc0\xc0\xfc \xbe\xc6\xc8\xa9\xbd\xc3";
/** 営業時間はくじから */
const japanese = "\x89\x63\x8b\xc6\x8e\x9e\x8a\xd4\x82\xcd\x82\xad\x82\xb6\x82\xa9\x82\xe7";
/** 营业时间 九点开始 */
const chinese = "\xd3\xaa\xd2\xb5\xca\xb1\xbc\xe4 \xbe\xc5\xb5\xe3\xbf\xaa\xca\xbc";

test.each([
  ["a mark of UTF-8", latin1("\xef\xbb\xbf\xc3\x84pfel"), "iso-8859-1", "Äpfel"],
  ["a mark of UTF-16", Uint8Array.of(0xff, 0xfe, 0xc4, 0, 0x70, 0), null, "Äp"],
  ["a mark of UTF-16, the other way round", Uint8Array.of(0xfe, 0xff, 0, 0xc4, 0, 0x70), null, "Äp"],
  ["the answer", latin1(western), "iso-8859-1", "Öffnungszeiten – 5 €"],
  ["the answer, in another name", latin1(korean), "cp949", "영업시간: 오전 아홉시"],
  [
    "a meta element",
    latin1(`<html><meta charset=shift_jis><p>${japanese}`),
    null,
    "<html><meta charset=shift_jis><p>営業時間はくじから",
  ],
  [
    "a long meta element",
    latin1(`<meta http-equiv="Content-Type" content="text/html; charset = windows-1252">\x80`),
    null,
    `<meta http-equiv="Content-Type" content="text/html; charset = windows-1252">€`,
  ],
  [
    "the declaration of XML",
    latin1(`<?xml version="1.0" encoding="ISO-8859-1"?><p>\xd6</p>`),
    null,
    `<?xml version="1.0" encoding="ISO-8859-1"?><p>Ö</p>`,
  ],
  [
    "nothing true: UTF-16 that is none",
    utf8(`<meta charset="utf-16"><p>Ö`),
    null,
    `<meta charset="utf-16"><p>Ö`,
  ],
  ["nothing true: Latin-1 that is UTF-8", utf8("Öffnungszeiten"), "iso-8859-1", "Öffnungszeiten"],
  ["nothing true: UTF-8 that is windows-1252", latin1(western), "utf-8", "Öffnungszeiten – 5 €"],
  ["a name that nobody knows", utf8("Öffnungszeiten"), "klingon", "Öffnungszeiten"],
  ["nothing, in UTF-8", utf8("Öffnungszeiten"), null, "Öffnungszeiten"],
  ["nothing, in UTF-8 with a wrong letter", latin1("\xc3\x96 \xc3\xa4 \xc3\xbc \xff"), null, "Ö ä ü \ufffd"],
  ["nothing, in windows-1252", latin1(western), null, "Öffnungszeiten – 5 €"],
  ["nothing, in one word of windows-1252", latin1("\xc4pfel"), null, "Äpfel"],
  ["nothing, in Korean", latin1(korean), null, "영업시간: 오전 아홉시"],
  ["nothing, in Japanese", latin1(japanese), null, "営業時間はくじから"],
  ["nothing, in Chinese", latin1(chinese), null, "营业时间 九点开始"],
  ["nothing, not even that it is packed", gzipSync("Öffnungszeiten"), null, "Öffnungszeiten"],
])("the encoding of a text is named by %s", (_by, bytes, charset, text) => {
  expect(decodedText({ bytes, charset })).toBe(text);
});
