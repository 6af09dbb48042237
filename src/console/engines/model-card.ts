import { html, nothing, type TemplateResult } from "lit";
import type { Installation, OfflineModel } from "../../protocol/console/engines.ts";
import { size } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { modelDescription, sign, type StateSign } from "./engine-card.ts";

/** Whether an installation goes on. */
export const isGoingOn = (
  installation: Installation | null,
): installation is Installation & { state: "downloading" | "unpacking" } =>
  installation?.state === "downloading" || installation?.state === "unpacking";

/** How far a download is, in percent; null where the size is not known. */
export function percentOf({ received_bytes: received, total_bytes: total }: Installation): number | null {
  return total === null || total === 0 ? null : Math.min(100, Math.floor((received / total) * 100));
}

/** About how long a download still takes, in seconds; null while nothing is known of it. */
export function secondsLeft(
  { received_bytes: received, total_bytes: total, started_at: started }: Installation,
  nowMs: number,
): number | null {
  const passedSec = (nowMs - Date.parse(started)) / 1000;
  if (total === null || received <= 0 || passedSec <= 0) return null;
  return Math.max(0, Math.ceil(((total - received) / received) * passedSec));
}

function signOf({ installation, is_installed: isInstalled }: OfflineModel): StateSign {
  const { install } = texts.engines;
  if (isGoingOn(installation)) {
    const percent = installation.state === "downloading" ? percentOf(installation) : null;
    const unknown = installation.state === "unpacking" ? install.unpacking : install.downloading;
    return { kind: "work", text: percent === null ? unknown : install.percent(percent) };
  }
  if (isInstalled) return { kind: "", text: install.installed };
  if (installation?.state === "failed") return { kind: "bad", text: install.failed };
  return { kind: "draft", text: install.missing };
}

function progress(model: OfflineModel, installation: Installation): TemplateResult {
  const { install } = texts.engines;
  const { received_bytes: received, total_bytes: total, state } = installation;
  const percent = percentOf(installation) ?? 0;
  const left = state === "downloading" ? secondsLeft(installation, Date.now()) : null;
  return html`<div>
    <div
      class="bar"
      role="progressbar"
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent}
      aria-label=${install.of(model.name)}
    >
      <i .style=${`--v:${percent}`}></i>
    </div>
    <p class="s q2 num installed">
      ${total === null ? size(received) : install.received(size(received), size(total), left)}
    </p>
    <p class="sr" role="status">${install.percent(Math.floor(percent / 10) * 10)}</p>
  </div>`;
}

interface Card {
  model: OfflineModel;
  /** The role may install and remove. */
  mayInstall: boolean;
  onInstall: () => void;
  onRemove: () => void;
}

/** A model that can run on this server, as a card. */
export function modelCard({ model, mayInstall, onInstall, onRemove }: Card): TemplateResult {
  const { installation, is_installed: isInstalled, name } = model;
  const { kind, text } = signOf(model);
  const title = texts.engines.known[name] ?? name;
  const percent = isGoingOn(installation) ? percentOf(installation) : null;
  const isBad = installation?.state === "failed";
  return html`<article class="sheet eng" aria-label=${title}>
    <div>
      <h3>${title}</h3>
      <p class="d">${modelDescription(model)}</p>
    </div>
    ${isGoingOn(installation) ? progress(model, installation) : nothing}
    ${
      installation?.detail
        ? html`<p class="note tested ${isBad ? "bad" : ""}">
            ${icon(isBad ? "alert" : "clock", 18)}<span>${installation.detail}</span>
          </p>`
        : nothing
    }
    <div class="go">
      <span .style=${percent === null ? "" : `--p:${percent}`}>${sign({ kind, text })}</span>
      ${mayInstall && !isGoingOn(installation) ? button(name, { isInstalled, isBad }, onInstall, onRemove) : nothing}
    </div>
  </article>`;
}

function button(
  name: string,
  { isInstalled, isBad }: { isInstalled: boolean; isBad: boolean },
  onInstall: () => void,
  onRemove: () => void,
): TemplateResult {
  const { install, remove } = texts.engines;
  if (isInstalled)
    return html`<button class="btn sm del" @click=${onRemove}>
      ${remove}<span class="sr"> ${name}</span>
    </button>`;
  return html`<button class="btn sm" @click=${onInstall}>
    ${icon("download", 16)} ${isBad ? install.again : install.start}<span class="sr"> ${name}</span>
  </button>`;
}
