import { keysOf } from "../../../../protocol/keys-of.ts";
import type { Viseme } from "../../../../protocol/speech.ts";

/** Sounds of the International Phonetic Alphabet by mouth shape (the OVR set). */
const soundsOf: Partial<Record<Viseme, string>> = {
  PP: "p b m",
  FF: "f v ɸ β ʋ",
  TH: "θ ð",
  DD: "t d ʈ ɖ c ɟ",
  kk: "k ɡ g ŋ x ɣ χ q h ʔ ʁ ç ɦ",
  CH: "ʃ ʒ tʃ dʒ tɕ dʑ ɕ ʑ ʂ ʐ",
  SS: "s z ts dz",
  nn: "n l ɫ ɲ ʎ ɾ ɴ",
  RR: "r ɹ ɻ ɚ ɝ ɜ",
  aa: "a ɑ ä æ ɐ ʌ ɒ",
  E: "e ɛ ə ø œ",
  ih: "i ɪ j ɨ y ɥ",
  oh: "o ɔ ɤ",
  ou: "u ʊ w ɯ ʉ ɵ",
};

const visemeOf = new Map(
  keysOf(soundsOf).flatMap((viseme) =>
    (soundsOf[viseme] ?? "").split(" ").map((sound): [string, Viseme] => [sound, viseme]),
  ),
);

/** Stress, length, tone and diacritics, which do not change the mouth shape. */
const marks = /[ˈˌːˑ'",\-_^~`|\d\p{M}ʰʲʷˠˤ˞]/gu;

/** The mouth shapes of a sound in IPA, in order. The longest known sounds match first; unknown ones are skipped. */
export function visemesOfIpa(ipa: string): Viseme[] {
  const symbols = Array.from(ipa.normalize("NFD").replace(marks, "").normalize("NFC"));
  const visemes: Viseme[] = [];
  for (let at = 0; at < symbols.length;) {
    const pair = visemeOf.get(symbols.slice(at, at + 2).join(""));
    const viseme = pair ?? visemeOf.get(symbols[at] ?? "");
    if (viseme && visemes.at(-1) !== viseme) visemes.push(viseme);
    at += pair ? 2 : 1;
  }
  return visemes;
}
