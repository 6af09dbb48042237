/** Words of greetings, thanks and agreement, by language: what people say before they come to the point. */
const openingWords: Readonly<Record<string, string>> = {
  en: "hello hi hey there good morning afternoon evening okay ok alright all right great perfect fine nice thanks thank you that that's sounds is i see understand",
  de: "hallo hi hey guten tag morgen abend grüß gott okay gut alles klar prima super danke schön das klingt ich verstehe",
  es: "hola buenos buenas días tardes noches vale bien perfecto gracias muchas de acuerdo entiendo",
  fr: "bonjour bonsoir salut d'accord bien très parfait merci beaucoup je vois",
  it: "ciao salve buongiorno buonasera va bene perfetto grazie mille capisco",
  pt: "olá oi bom boa dia tarde noite certo perfeito obrigado obrigada muito tudo bem entendi",
  ko: "안녕하세요 안녕 좋아요 좋습니다 알겠습니다 알겠어요 감사합니다 고맙습니다",
  ja: "こんにちは おはようございます こんばんは わかりました ありがとうございます いいですね",
  zh: "你好 您好 早上好 下午好 晚上好 好的 明白了 谢谢",
  ar: "مرحبا أهلا السلام عليكم صباح مساء الخير حسنا شكرا",
  he: "שלום היי בוקר ערב טוב בסדר תודה",
};

const words = new Map(Object.entries(openingWords).map(([tag, list]) => [tag, new Set(list.split(" "))]));

/** A longer text has come to the point. */
const wordsMax = 4;

/** Whether a text only opens a turn, as a greeting does: its speaker often goes on. Pure. `locale`: BCP 47 tag of its language. */
export function isOpening(text: string, locale: string): boolean {
  const known = words.get(locale.split(/[-_]/, 1)[0]?.toLowerCase() ?? "");
  const said = text
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[\s.,!。！、，]+/u)
    .filter(Boolean);
  return (
    known !== undefined && said.length <= wordsMax && said.length > 0 && said.every((word) => known.has(word))
  );
}
