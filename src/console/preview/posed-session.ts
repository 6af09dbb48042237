import type {
  Activity,
  AvatarSession,
  AvatarSessionOptions,
  SessionEvents,
  SessionState,
  TranscriptEntry,
} from "../../client/index.ts";
import { type PublicContext, publicContextSchema } from "../../protocol/session/relay-api.ts";
import type { Pose } from "../editor/preview/preview-message.ts";

/** What a listener is told once, right after it was added. */
type Told = Partial<SessionEvents>;

/** A pose in the terms of a session. */
interface Posture {
  readonly state: SessionState;
  readonly activity: Activity;
  readonly transcript: readonly TranscriptEntry[];
  readonly told: Told;
}

const live: Told = { statechange: { state: "live", previous: "connecting" } };

const said = (text: string, status: TranscriptEntry["status"]): TranscriptEntry[] =>
  text === "" ? [] : [{ id: "said", role: "avatar", text, status, at: Date.now() }];

/** In the middle of its words. */
function speaking(text: string): Posture {
  const words = text.split(/\s+/);
  const index = Math.floor(words.length / 2);
  const caption = { text, word: words[index] ?? "", index };
  return {
    state: "live",
    activity: "speaking",
    transcript: said(text, "streaming"),
    told: { ...live, activitychange: { activity: "speaking" }, caption },
  };
}

const postures: Readonly<Record<Pose["kind"], (words: string) => Posture>> = {
  speaking,
  ready: (words) => ({ state: "live", activity: "idle", transcript: said(words, "final"), told: live }),
  busy: () => ({
    state: "error",
    activity: "idle",
    transcript: [],
    told: {
      statechange: { state: "error", previous: "connecting" },
      error: { code: "quota_exceeded", message: "", limit: "busy" },
    },
  }),
};

/** Never resolves: nobody can use what a posed session would give. */
const never = <Result>(): Promise<Result> => new Promise(() => undefined);

const done = (): Promise<void> => Promise.resolve();

/** A session that stands still in one state. It reads its context from the relay, and sends nothing. */
export class PosedSession implements AvatarSession {
  readonly mode = "avatar";
  readonly state: SessionState;
  readonly activity: Activity;
  readonly transcript: readonly TranscriptEntry[];
  readonly sessionId = null;
  readonly mediaElement = null;
  readonly muted = false;
  readonly microphone = "off";
  volume = 0;
  context: PublicContext | null = null;
  readonly #address: string;
  readonly #told: Told;

  /** `address`: of the context's public view. */
  constructor(address: string, { kind, words }: Pose) {
    const { state, activity, transcript, told } = postures[kind](words);
    this.state = state;
    this.activity = activity;
    this.transcript = transcript;
    this.#told = told;
    this.#address = address;
  }

  async loadContext(): Promise<PublicContext> {
    if (this.context) return this.context;
    const answer = await fetch(this.#address, { credentials: "omit" });
    if (!answer.ok) throw new Error(`The relay answered ${answer.status}.`);
    this.context = publicContextSchema.parse(await answer.json());
    return this.context;
  }

  on<Type extends keyof SessionEvents>(
    type: Type,
    listener: (detail: SessionEvents[Type]) => void,
  ): () => void {
    const told = this.#told[type];
    if (told !== undefined) queueMicrotask(() => listener(told as never));
    return () => undefined;
  }

  readonly resume = (): Promise<null> => Promise.resolve(null);
  readonly start = done;
  readonly end = done;
  readonly send = done;
  readonly retry = done;
  readonly show = done;
  readonly note = done;
  readonly resumeAnswer = done;
  readonly rate = done;
  readonly leaveMessage = done;
  readonly listen = done;
  readonly resumeSound = done;
  readonly attachments: AvatarSession["attachments"] = never;
  readonly voice: AvatarSession["voice"] = never;
  prepare(): void {}
  discard(): void {}
  say(): void {}
  interrupt(): void {}
  finishSentence(): void {}
  clear(): void {}
  stopListening(): void {}
  mute(): void {}
  unmute(): void {}
  setVariables(): void {}
  setVoiceRate(): void {}
  registerTool(): void {}
  setReducedMotion(): void {}
  setVideoSize(): void {}
  stay(): void {}
  setInView(): void {}
  dispose(): void {}
}

const tagName = "visavis-avatar-posed";

const poses = new WeakMap<HTMLElement, Pose>();

/** The address of a context's public view on the relay of this page. */
export const viewAddress = (contextId: string): string =>
  `${location.origin}/embed/v1/contexts/${encodeURIComponent(contextId)}`;

/**
 * Defines an element that is the public one but for its session, so that the preview shows states of a conversation exactly as visitors
 * see them. Call it once, with the class of the public element.
 */
export function definePosedAvatar(Avatar: CustomElementConstructor): void {
  class PosedAvatar extends Avatar {
    /** No first frame will come: everything is drawn at once. */
    protected get patienceMs(): number {
      return 0;
    }

    protected makeSession({ contextId }: AvatarSessionOptions): AvatarSession {
      return new PosedSession(viewAddress(contextId), poses.get(this) ?? { kind: "ready", words: "" });
    }
  }
  customElements.define(tagName, PosedAvatar);
}

/** An avatar in a pose. */
export function posedAvatar(pose: Pose): HTMLElement {
  const element = document.createElement(tagName);
  poses.set(element, pose);
  return element;
}
