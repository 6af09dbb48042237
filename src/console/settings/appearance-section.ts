import { html, type TemplateResult } from "lit";
import { select } from "../parts/field.ts";
import { chooseLanguage, isLanguage, languages } from "../texts/language.ts";
import { language, texts } from "../texts/texts.ts";

/** The section about how the console looks in this browser. */
export function appearanceSection(): TemplateResult {
  const { appearance } = texts.settings;
  return html`<section class="sheet" aria-labelledby="appearance-title">
    <header>
      <div>
        <h2 id="appearance-title">${appearance.title}</h2>
        <p>${appearance.lead}</p>
      </div>
    </header>
    <div class="opt">
      <div><b>${appearance.language}</b></div>
      ${select({
        label: appearance.language,
        value: language,
        choices: Object.entries(languages).map(([value, label]) => ({ value, label })),
        onChange: (value) => {
          if (isLanguage(value)) chooseLanguage(value);
        },
      })}
    </div>
  </section>`;
}
