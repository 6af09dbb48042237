import { html, type TemplateResult } from "lit";
import portrait from "../../../public/characters/mina-porthole.webp?no-inline";
import type { SessionKeeper } from "../session.ts";
import { texts } from "../texts/texts.ts";
import "./sign-in.css";
import { signInForm } from "./sign-in-form.ts";

/** The only sheet of a page: signing in, or accepting an invitation. */
export function lonelySheet(title: string, lead: string, content: TemplateResult): TemplateResult {
  return html`<main class="signin">
    <div class="card">
      <span class="port">
        <img src=${portrait} alt="" width="160" height="160" />
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="49" vector-effect="non-scaling-stroke" />
        </svg>
      </span>
      <div>
        <h1 tabindex="-1">${title}</h1>
        <p class="sub">${lead}</p>
      </div>
      ${content}
    </div>
    <p class="out">Visavis · ${texts.signIn.server}</p>
  </main>`;
}

/** The page for somebody who is not signed in. */
export function signInPage(session: SessionKeeper): TemplateResult {
  const content = html`${signInForm(session)}
    <details>
      <summary>${texts.signIn.help}</summary>
      <p>${texts.signIn.helpText}</p>
    </details>`;
  return lonelySheet(texts.signIn.title, location.host, content);
}
