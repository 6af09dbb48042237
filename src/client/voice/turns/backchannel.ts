/** What listeners say without wanting to speak, by its letters. */
const signs =
  "uh huh uhhuh mm mmm mhm mmhm hm hmm hmhm aha ah oh okay ok yeah yep yes right sure ja jaja genau sí oui ouais d'accord sì sim 네 예 응 음 어 はい うん ええ 嗯 好 对 نعم כן".split(
    " ",
  );
const known = new Set(signs);

/** The most words of such a sign. */
const wordsMax = 2;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'\s]/gu, " ")
    .split(/\s+/u)
    .filter(Boolean);

/** Whether a text only shows that the visitor listens: "uh-huh", "okay". Pure. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text);
  return words.length <= wordsMax && words.every((word) => known.has(word));
}

/** So many of the words must be the avatar's own, in percent. */
const echoShare = 0.7;

/** Whether a text is what the avatar has just said, heard through the loudspeaker. Pure. */
export function isEcho(text: string, said: string): boolean {
  const heard = wordsOf(text);
  if (heard.length === 0) return true;
  const own = new Set(wordsOf(said));
  return heard.filter((word) => own.has(word)).length / heard.length >= echoShare && heard.length >= 2;
}
