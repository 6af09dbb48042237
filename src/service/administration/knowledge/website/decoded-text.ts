import { gunzipSync } from "node:zlib";
import type { EncodedText } from "../reading/reading-jobs.ts";

/** The marks that a text may begin with, and the encodings that they mean. */
const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Names of encodings that the Encoding standard does not know. */
const otherNames: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
};

/** A declaration stands within so many bytes. */
const declaredWithin = 4_096;
const metaCharset = /<meta[^>]{1,200}charset\s*=\s*["']?([\w:.-]+)/i;
const xmlEncoding = /^\s*<\?xml[^>]{1,200}encoding\s*=\s*["']([\w:.-]+)/i;

/** What windows-1252 has where Latin-1 has control characters. Node.js 20 decodes it as Latin-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Encodings of files that name none, by the letters that come in rows, and which share of the foreign letters these are at least. */
const guesses: readonly (readonly [encoding: string, rows: RegExp, share: number])[] = [
  ["euc-kr", /[가-힣]{2,}/g, 0.8],
  ["shift_jis", /[ぁ-ヶー]{2,}/g, 0.3],
  ["gb18030", /[\u4e00-\u9fff]{2,}/g, 0.6],
];

/** UTF-8 has fewer wrong letters: in what is another encoding, many happen to look right. */
const wrongOneIn = 4;

const foreign = /[^\p{ASCII}]/gu;
const lettersOf = (text: string, pattern: RegExp): number =>
  (text.match(pattern) ?? []).reduce((sum, { length }) => sum + length, 0);

function western(bytes: Uint8Array): string {
  const text = new TextDecoder("windows-1252").decode(bytes);
  return text.replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? "");
}

/** The text in an encoding; null where it is not, or where nobody knows the encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A text that names no encoding, or the wrong one. */
function guessed(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const wrong = lettersOf(text, /\ufffd/g);
  if (wrong * wrongOneIn <= lettersOf(text, foreign)) return text;
  for (const [encoding, rows, share] of guesses) {
    const one = strictly(bytes, encoding);
    if (one !== null && lettersOf(one, rows) >= share * lettersOf(one, foreign)) return one;
  }
  return western(bytes);
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, declaredWithin));
  if (!/^\s*</.test(start)) return undefined;
  const named = xmlEncoding.exec(start)?.[1] ?? metaCharset.exec(start)?.[1];
  // Whoever can read the declaration reads bytes.
  return named?.toLowerCase().startsWith("utf-16") ? "utf-8" : named;
}

/** The most that a text may be when it is unpacked, in bytes. */
const unpackedMaxBytes = 10 * 1024 * 1024;

/** Some servers send files packed with gzip, and do not say so. */
const unpacked = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: unpackedMaxBytes }) : bytes;

/**
 * A text in the encoding that its mark says, or else the answer, or else the text itself. Otherwise it is UTF-8, or what it looks
 * like.
 */
export function decodedText({ bytes: sent, charset }: EncodedText): string {
  const bytes = unpacked(sent);
  const marked = marks.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  const named = (charset ?? declaredIn(bytes) ?? "utf-8").toLowerCase();
  try {
    const decoder = new TextDecoder(otherNames[named] ?? named);
    if (decoder.encoding === "utf-8") return guessed(bytes);
    // Many servers name Latin-1 for everything.
    if (decoder.encoding === "windows-1252") return strictly(bytes, "utf-8") ?? western(bytes);
    return decoder.decode(bytes);
  } catch {
    return guessed(bytes);
  }
}
