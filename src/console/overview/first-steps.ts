import { html, nothing, svg, type TemplateResult } from "lit";
import type { FirstRun } from "../../protocol/console/overview.ts";
import { moment } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { linkTo } from "../router.ts";
import type { Services } from "../services.ts";
import { texts } from "../texts/texts.ts";

/** Sheets of paper: what an avatar knows. */
const knowledgeScene = html`<svg
  viewBox="0 0 320 200"
  preserveAspectRatio="xMidYMid slice"
  aria-hidden="true"
>
  <g class="paper">
    <rect x="70" y="52" width="128" height="170" rx="14" transform="rotate(-6 134 120)" />
    <rect x="118" y="40" width="136" height="190" rx="14" transform="rotate(3 186 130)" />
  </g>
  <g class="lines" transform="rotate(3 186 130)">
    <path class="ink" d="M138 66h62" />
    <path d="M138 90h96M138 108h88M138 126h96M138 162h90M138 180h96" />
    <path class="found" d="M138 144h70" />
  </g>
</svg>`;

/** A page with an empty place for the avatar. */
const pageScene = html`<svg viewBox="0 0 320 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
  <rect class="paper" x="44" y="38" width="232" height="180" rx="14" />
  <path class="edge" d="M44 62h232" />
  <path class="ink thin" d="M62 50h30" />
  <path class="ink thick" d="M64 88h92M64 102h60" />
  <rect class="block" x="62" y="124" width="58" height="60" rx="8" />
  <rect class="block" x="130" y="124" width="58" height="60" rx="8" />
  <circle class="place" cx="238" cy="142" r="25" />
</svg>`;

interface Step {
  title: string;
  text: string;
  scene: TemplateResult | typeof nothing;
  /** How far it is, from 0 to 1. */
  progress: number;
  state: string;
  points: readonly { isDone: boolean; text: string }[];
  action: { label: string; href: string } | null;
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin);

/** The address of a page, or of the one that stands for it while the console has no such page. */
function address({ hasPage }: Pick<Services, "hasPage">, ...paths: readonly string[]): string | null {
  const path = paths.find(hasPage);
  return path === undefined ? null : linkTo(path);
}

function avatarStep({ avatar }: FirstRun, poster: string | null, services: Services): Step {
  const { steps } = texts.overview;
  const name = avatar.name ?? "";
  const editor = avatar.done && avatar.context !== null ? [`/avatars/${avatar.context}/look`] : [];
  const href = address(services, ...editor, "/avatars");
  return {
    title: steps.avatar.title,
    text: steps.avatar.text,
    scene: poster === null ? nothing : html`<img src=${poster} alt="" />`,
    progress: avatar.done ? 1 : 0,
    state: avatar.done ? steps.done : steps.avatar.open,
    points: [{ isDone: avatar.done, text: avatar.done ? steps.avatar.own(name) : steps.avatar.choose }],
    action:
      href === null ? null : { href, label: avatar.done ? steps.avatar.change(name) : steps.avatar.begin },
  };
}

function knowledgeStep({ knowledge }: FirstRun, services: Services): Step {
  const { steps } = texts.overview;
  const href = address(services, "/knowledge");
  return {
    title: steps.knowledge.title,
    text: steps.knowledge.text,
    scene: knowledgeScene,
    progress: knowledge.done ? 1 : 0,
    state: knowledge.done ? steps.done : steps.knowledge.open,
    points: [
      {
        isDone: knowledge.done,
        text: knowledge.done ? steps.knowledge.documents(knowledge.documents) : steps.knowledge.add,
      },
    ],
    action:
      href === null ? null : { href, label: knowledge.done ? steps.knowledge.more : steps.knowledge.begin },
  };
}

function pageStep({ page, avatar }: FirstRun, services: Services): Step {
  const { steps } = texts.overview;
  const editor = avatar.context === null ? [] : [`/avatars/${avatar.context}/embed`];
  const href = address(services, ...editor, "/avatars");
  const waiting = page.has_origin ? steps.page.waiting : steps.page.open;
  return {
    title: steps.page.title,
    text: steps.page.text,
    scene: pageScene,
    progress: page.done ? 1 : page.has_origin ? 0.5 : 0,
    state: page.done ? steps.page.done : waiting,
    points: [
      { isDone: page.has_origin || page.done, text: steps.page.name },
      {
        isDone: page.done,
        text: page.arrived
          ? steps.page.arrived(hostOf(page.arrived.origin), moment(page.arrived.at))
          : steps.page.paste,
      },
    ],
    action: href === null ? null : { href, label: steps.page.begin },
  };
}

/** The ring around a step's picture, closed as far as the step is. */
const ring = (progress: number): TemplateResult =>
  html`<svg class="ringp" aria-hidden="true">
    ${svg`<rect pathLength="100" stroke-dasharray=${`${progress * 100} 100`} />`}
  </svg>`;

function stepView(step: Step, isNext: boolean, mayChange: boolean): TemplateResult {
  const { progress } = step;
  const kind = progress === 1 ? "" : progress > 0 ? "work" : "draft";
  return html`<li class="step ${progress === 1 ? "done" : ""}">
    <div class="scene">
      ${progress > 0 && progress < 1 ? ring(progress) : nothing}
      <div class="inner">${step.scene}</div>
      <span class="plate sig ${kind}" role="status" .style=${`--p:${progress * 100}`}>${step.state}</span>
    </div>
    <h2>${step.title}</h2>
    <p class="d">${step.text}</p>
    <ul>
      ${step.points.map(
        ({ isDone, text }) =>
          html`<li class=${isDone ? "ok" : ""}>
            ${icon(isDone ? "check" : "minus", 18)}<span>${text}</span>
          </li>`,
      )}
    </ul>
    ${
      step.action !== null && mayChange
        ? html`<a class="btn ${isNext ? "pri" : ""}" href=${step.action.href}>${step.action.label}</a>`
        : nothing
    }
  </li>`;
}

/** The steps from an installation to the first conversation. `poster`: the picture of the avatar's face. */
export function firstSteps(run: FirstRun, poster: string | null, services: Services): TemplateResult {
  const { overview } = texts;
  const mayChange = services.session.may("editor");
  const steps = [avatarStep(run, poster, services), knowledgeStep(run, services), pageStep(run, services)];
  const next = steps.findIndex(({ progress }) => progress < 1);
  return html`<ol class="sheet first">
      ${steps.map((step, index) => stepView(step, index === next, mayChange))}
    </ol>
    ${
      run.has_model
        ? nothing
        : html`<div class="note onsheet quoted">
            ${icon("chip")}
            <p><b>${overview.quoted}</b> ${overview.quotedText}</p>
            ${
              services.session.may("owner")
                ? html`<a class="btn sm" href=${linkTo("/engines", { add: "model" })}
                    >${overview.addModel}</a
                  >`
                : nothing
            }
          </div>`
    }`;
}
