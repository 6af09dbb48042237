import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import type { AudioDevices, AvatarSession, MicrophoneFault, VoiceStatus } from "../../client/index.ts";
import { type Badge, status } from "../panel/controls/badge-of.ts";
import type { Ring } from "../panel/view.ts";
import { icon } from "../styles/icons.ts";
import type { TextKey, Translate } from "../texts/texts.ts";
import type { VoiceMode } from "./voice-mode.ts";
import type { TalkController } from "./talk-controller.ts";

/** Browsers that keep the permission for a microphone in different places. */
type BrowserName = "chrome" | "firefox" | "safari" | "phone";

/** Where the visitor of a browser can allow the microphone again. `agent`: its user agent string. */
function browserOf(agent: string): BrowserName {
  if (/Android|iPhone|iPad|Mobile/.test(agent)) return "phone";
  if (/Firefox\//.test(agent)) return "firefox";
  return /Chrom(?:e|ium)\//.test(agent) ? "chrome" : /Safari\//.test(agent) ? "safari" : "chrome";
}

/** What the visitor's voice adds to the panel. */
export interface VoiceParts {
  /** In place of the session's own; null to leave it. */
  readonly ring: Ring | null;
  readonly badge: Badge | null;
  /** In place of the captions. */
  readonly words: TemplateResult | null;
  /** Null where nothing recognizes speech any more. */
  readonly button: TemplateResult | null;
  /** Begins to talk: for buttons elsewhere in the panel. */
  readonly start: (() => void) | null;
  /** How to talk, where nothing was said yet. */
  readonly hint: TextKey | null;
  /** The last question that was spoken, while it can be corrected. */
  readonly questionId: string | null;
  /** What screen readers are told. */
  readonly announcement: TextKey | null;
}

/** What the parts are drawn from. */
interface VoicePartsProps {
  readonly t: Translate;
  readonly status: VoiceStatus;
  /** The session is live, and the avatar neither thinks nor speaks. */
  readonly isFree: boolean;
  readonly isLive: boolean;
  readonly mode: VoiceMode;
  readonly canType: boolean;
  readonly touch: boolean;
  readonly type: () => void;
  readonly talk: TalkController;
  /** False where nothing recognizes speech any more. */
  readonly canTalk: boolean;
  /** Not beside the transcript, where the composer has a microphone that is not held. */
  readonly isButtonShown: boolean;
}

/** Faults after which the microphone stays closed until the visitor has done something about it. */
const blocked: readonly MicrophoneFault[] = ["denied", "policy", "frame", "insecure"];
const missing: readonly MicrophoneFault[] = ["missing", "lost", "busy"];

/** What the visitor can do about a fault, in this browser. */
function faultText(fault: MicrophoneFault, agent: string): TextKey {
  return fault === "denied" ? `mic_denied_${browserOf(agent)}` : `mic_${fault}`;
}

/** The ring and the badge; null where the session's own are right. */
function signs(props: VoicePartsProps): Pick<VoiceParts, "ring" | "badge"> {
  const { status: voice, isFree, talk } = props;
  if (voice.state === "asking") return { ring: null, badge: status("talk_asking", "mic") };
  if (voice.turn === "button")
    return { ring: "listening", badge: status(talk.isLatched ? "talk_send" : "talk_release", "meter") };
  if (!isFree) return { ring: null, badge: null };
  if (voice.fault && blocked.includes(voice.fault))
    return { ring: "muted", badge: status("mic_blocked", "mic-off") };
  if (voice.fault && missing.includes(voice.fault))
    return { ring: "muted", badge: status("mic_none", "mic-off") };
  if (voice.state === "muted") return { ring: "muted", badge: status("muted", "mic-off") };
  const holds = props.isButtonShown && props.mode !== "hands-free" && !voice.handsFree;
  return { ring: null, badge: holds ? status("talk_hold") : null };
}

function lines(text: unknown, hint: unknown, extra: unknown = nothing): TemplateResult {
  return html`<p class="vv-caption who" dir="auto">${text}</p>
    ${hint ? html`<span class="hint">${hint}</span>` : nothing}${extra}`;
}

/** What is being understood, with a caret. */
const spokenWords = ({ words: text }: VoiceStatus): TemplateResult =>
  html`${text}<span class="vv-caret" aria-hidden="true"></span>`;

/** What went wrong and what to do, with the other way to ask. */
function faultWords(props: VoicePartsProps, fault: MicrophoneFault): TemplateResult {
  const { t, canType, type } = props;
  const instead = canType
    ? html`<div class="vv-chips">
        <button type="button" class="vv-chip" @click=${type}>${t("type_instead")}</button>
      </div>`
    : nothing;
  const text = t(faultText(fault, navigator.userAgent));
  return fault === "unclear" || fault === "silent" ? lines(text, null) : lines(t("mic_deaf"), text, instead);
}

/** Who gets the sound of the visitor's voice, with the choice to write instead. */
function consentWords({ t, canType, type, talk }: VoicePartsProps): TemplateResult {
  const write = (): void => {
    talk.decline();
    type();
  };
  const instead = canType
    ? html`<button type="button" class="vv-chip" @click=${write}>${t("type_instead")}</button>`
    : nothing;
  const chips = html`<div class="vv-chips">
    <button type="button" class="vv-chip" @click=${talk.agree}>${t("talk")}</button>${instead}
  </div>`;
  return lines(t("talk_cloud"), null, chips);
}

function words(props: VoicePartsProps): TemplateResult | null {
  const { t, status: voice, talk, isFree } = props;
  if (talk.asks) return consentWords(props);
  if (voice.state === "asking") return lines(t("talk_asking_hint"), null);
  if (voice.turn === "button" || voice.turn === "recognizing") {
    if (voice.fault === "silent") return lines(t("mic_silent"), null);
    const seconds = String(talk.seconds % 60).padStart(2, "0");
    const time = `${Math.floor(talk.seconds / 60)}:${seconds}`;
    if (voice.turn === "recognizing") return voice.words ? lines(voice.words, null) : null;
    return lines(spokenWords(voice), talk.isLatched ? time : t("talk_cancel", { time }));
  }
  if (voice.turn === "voice" && voice.words) return lines(spokenWords(voice), null);
  if (!isFree) return null;
  if (voice.fault) return faultWords(props, voice.fault);
  return voice.state === "muted" ? lines(t("mic_deaf"), t("muted_hint")) : null;
}

/** The microphone's button. */
function talkButton({ t, status: voice, talk, isLive }: VoicePartsProps): TemplateResult {
  const isMuted = voice.state === "muted";
  const talks = voice.turn === "button";
  const isOn = voice.handsFree && !talks;
  const talking = talk.isLatched ? "talk_send" : "talk_release";
  const label = t(isMuted ? "unmute" : talks ? talking : isOn ? "mic_off" : "talk");
  const kind = isMuted ? "muted" : talks ? "held" : isOn ? "on" : "rest";
  return html`<button
    type="button"
    class="vv-btn vv-mic"
    data-main
    data-talk
    data-kind=${kind}
    aria-label=${label}
    data-tip=${label}
    aria-pressed=${talks || isOn}
    ?disabled=${!isLive}
    @pointerenter=${talk.prepare}
    @focus=${talk.prepare}
    @pointerdown=${isMuted ? null : talk.handlePointerDown}
    @pointerup=${isMuted ? null : talk.handlePointerUp}
    @pointercancel=${isMuted ? null : talk.handlePointerCancel}
    @contextmenu=${(event: Event) => {
      // A long press on a phone is talking, not a menu.
      event.preventDefault();
    }}
    @click=${isMuted ? talk.unmute : talk.handleClick}
  >
    ${icon(isMuted ? "mic-off" : "mic")}
  </button>`;
}

/** Draws what the visitor's voice adds to the panel. */
export function voiceParts(props: VoicePartsProps): VoiceParts {
  const { status: voice, isFree } = props;
  const fault = voice.fault && isFree ? faultText(voice.fault, navigator.userAgent) : null;
  const { canTalk } = props;
  const hint = canTalk && props.mode !== "hands-free" && !props.touch ? "talk_hold_hint" : null;
  return {
    ...signs(props),
    words: words(props),
    button: canTalk ? talkButton(props) : null,
    start: canTalk ? props.talk.start : null,
    hint,
    questionId: voice.questionId,
    announcement: props.talk.asks ? "talk_cloud" : fault,
  };
}

/** The devices that the settings offer, as they are plugged in and out. */
export class DeviceList implements ReactiveController {
  devices: AudioDevices = { microphones: [], speakers: [] };
  readonly #host: ReactiveControllerHost;
  #session: AvatarSession | null = null;
  #watched: MediaDevices | null = null;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Shows the devices for this session. The first time, they are listed. */
  show(session: AvatarSession): AudioDevices {
    if (session !== this.#session) {
      this.#session = session;
      this.#watched = "mediaDevices" in navigator ? navigator.mediaDevices : null;
      this.#watched?.addEventListener("devicechange", this.#list);
      this.#list();
    }
    return this.devices;
  }

  hostDisconnected(): void {
    this.#watched?.removeEventListener("devicechange", this.#list);
    this.#session = null;
  }

  readonly #list = (): void => {
    void this.#session
      ?.voice()
      .then((voice) => voice.devices())
      .then((devices) => {
        this.devices = devices;
        this.#host.requestUpdate();
      })
      .catch(() => undefined);
  };
}
