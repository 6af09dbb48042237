/** What is said instead of something that nobody would read aloud. */
export interface Phrases {
  readonly link: string;
  readonly code: string;
}

const english: Phrases = { link: "the link is in the text", code: "the code is in the text" };

const phrases: Readonly<Record<string, Phrases>> = {
  en: english,
  de: { link: "der Link steht im Text", code: "der Code steht im Text" },
  fr: { link: "le lien est dans le texte", code: "le code est dans le texte" },
  es: { link: "el enlace está en el texto", code: "el código está en el texto" },
  pt: { link: "o link está no texto", code: "o código está no texto" },
  it: { link: "il link è nel testo", code: "il codice è nel testo" },
  ko: { link: "링크는 글에 있습니다", code: "코드는 글에 있습니다" },
  ja: { link: "リンクは本文にあります", code: "コードは本文にあります" },
  zh: { link: "链接在文字中", code: "代码在文字中" },
  ar: { link: "الرابط موجود في النص", code: "الرمز موجود في النص" },
  he: { link: "הקישור נמצא בטקסט", code: "הקוד נמצא בטקסט" },
};

const traditionalChinese: Phrases = { link: "連結在文字中", code: "程式碼在文字中" };

/** The phrases of a language by its BCP 47 tag; English where there are none. */
export function phrasesFor(locale: string): Phrases {
  if (/^zh\b.*\b(?:hant|tw|hk|mo)\b/i.test(locale)) return traditionalChinese;
  return phrases[locale.split("-", 1)[0]?.toLowerCase() ?? ""] ?? english;
}
