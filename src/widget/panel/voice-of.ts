import {
  type AudioDevices,
  type AvatarSession,
  publicVoiceOf,
  type RecognizerKind,
  type VoiceStatus,
} from "../../client/index.ts";
import type { DeviceList, VoiceParts } from "../voice/voice-parts.ts";
import type { TalkController } from "../voice/talk-controller.ts";
import { unusedVoice } from "../voice/unused-voice.ts";
import { voiceModeOf } from "../voice/voice-mode.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import type * as voiceView from "../voice/voice.ts";
import type { PanelActions, PanelHost, PanelModel } from "./panel-host.ts";

/** What of the panel concerns the visitor's voice. */
interface VoiceState {
  readonly model: PanelModel;
  readonly session: Pick<SessionSnapshot, "state" | "soundBlocked" | "activity">;
  readonly context: PublicContext | null;
  readonly current: AvatarSession | null;
  readonly host: PanelHost;
  readonly touch: boolean;
  readonly panel: Pick<PanelActions, "settings" | "toggleText">;
  readonly lazy: { load(name: "voice"): Promise<void> };
  readonly views: { readonly voice?: typeof voiceView };
}

/** What is known of the visitor's voice, by session. */
const statuses = new WeakMap<AvatarSession, VoiceStatus>();

/** The status of a session's voice. From the first call on, a change of it draws the panel again. */
function statusOf(session: AvatarSession, host: PanelHost): VoiceStatus {
  const known = statuses.get(session);
  if (known) return known;
  const take = (status: VoiceStatus): void => {
    statuses.set(session, status);
    // The browser may not have what it promised: then another recognizer is chosen, or none.
    if (status.fault === "failed") recognizers.delete(session);
    host.requestUpdate();
  };
  statuses.set(session, unusedVoice);
  session.on("voicechange", take);
  // The page may have turned the microphone on before there was anything to draw.
  if (session.microphone !== "off") void session.voice().then(({ status }) => take(status));
  return unusedVoice;
}

/** Who recognizes the speech of each session's visitor, where that is the browser's matter; null where nobody does. */
const recognizers = new WeakMap<AvatarSession, RecognizerKind | null>();

/** Who recognizes the visitor's speech. Null where nobody does, or that is not known yet: then the panel is drawn again. */
export function recognizerOf({
  current,
  context,
  host,
}: Pick<VoiceState, "current" | "context" | "host">): RecognizerKind | null {
  if (!current || voiceModeOf(context) === "off") return null;
  // Without a peer connection the service hears nobody.
  const hears = current.connection?.link.peerConnection !== null;
  if (hears && publicVoiceOf(context?.voice).recognizer) return "service";
  const known = recognizers.get(current);
  if (known !== undefined) return known;
  recognizers.set(current, null);
  // Other browsers have no recognizer, and load nothing.
  if ("SpeechRecognition" in globalThis || "webkitSpeechRecognition" in globalThis)
    void current
      .voice()
      .then((voice) => voice.recognizer())
      .then((kind) => {
        recognizers.set(current, kind);
        if (kind) host.requestUpdate();
      })
      // The visitor goes on in writing.
      .catch(() => undefined);
  return null;
}

/** The push-to-talk of each element. */
const controllers = new WeakMap<PanelHost, TalkController>();

/** The push-to-talk of an element, if visitors can speak in it. */
export const talkOf = (host: PanelHost): TalkController | undefined => controllers.get(host);

/** The devices that each element's settings offer. */
const deviceLists = new WeakMap<PanelHost, DeviceList>();

/** The devices for sound that the visitor may choose from; null where visitors cannot speak. */
export function devicesOf(state: VoiceState): AudioDevices | null {
  const { model, current, host, views, panel } = state;
  const speaks = current && current.mode !== "text" && !model.textOnly && recognizerOf(state);
  if (!speaks || !views.voice) return null;
  // A choice counts at once, while the settings are still open.
  talkOf(host)?.choose(panel.settings);
  const list = deviceLists.get(host) ?? new views.voice.DeviceList(host);
  deviceLists.set(host, list);
  return list.show(current);
}

/** What the visitor's voice adds to the panel; null where visitors cannot speak. Its views are loaded when they can. */
export function voiceOf(state: VoiceState): VoiceParts | null {
  const { model, session, context, current, host, views, lazy, panel, touch } = state;
  const mode = voiceModeOf(context);
  const talks = model.view.page === "conversation" && !model.textOnly;
  if (!talks || !current || current.mode === "text") return null;
  const recognizer = recognizerOf(state);
  // Where there is none any more, the visitor is told.
  if (!recognizer && statuses.get(current)?.fault !== "failed") return null;
  if (!views.voice) {
    void lazy.load("voice");
    return null;
  }
  const talk = controllers.get(host) ?? new views.voice.TalkController(host);
  controllers.set(host, talk);
  const status = statusOf(current, host);
  if (recognizer) talk.update(current, status, { mode, recognizer });
  talk.choose(panel.settings);
  const isLive = session.state === "live" && !session.soundBlocked;
  return views.voice.voiceParts({
    t: model.t,
    status,
    isLive,
    isFree: isLive && (session.activity === "idle" || session.activity === "listening"),
    mode,
    canType: model.view.canType,
    touch,
    type: panel.toggleText,
    talk,
    canTalk: recognizer !== null,
    isButtonShown: recognizer !== null && !(model.textOpen && model.layout.kind === "stacked"),
  });
}
