/** Languages of the console, by their own names. */
export const languages = { en: "English", ko: "한국어" } as const;
export type Language = keyof typeof languages;

const storageKey = "visavis-console-language";

/** Whether the console has this language. */
export const isLanguage = (text: string | null | undefined): text is Language =>
  text != null && Object.hasOwn(languages, text);

/** The language that was chosen in this browser, else the first one of the browser's that the console has. */
export function chosenLanguage(): Language {
  const stored = localStorage.getItem(storageKey);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";
}

/** Chooses another language; the page loads again with it. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  location.reload();
}
