import type {
  AudioDevices,
  AvatarSession,
  ChosenFile,
  ClientTool,
  RecognizerKind,
  SessionEvents,
  TranscriptEntry,
  VisitorAttachments,
  VisitorVoice,
  VoiceStatus,
} from "../../src/client/index.ts";
import type { VisitorMessage } from "../../src/protocol/session/visitor-message.ts";
import type { Variables } from "../../src/protocol/session/variables.ts";
import type { RichContent } from "../../src/protocol/answers/rich-content.ts";
import type { Rating } from "../../src/protocol/answers/rating.ts";
import type { PublicContext } from "../../src/protocol/session/relay-api.ts";

type Listener = (detail: never) => void;

export const scriptedContext: PublicContext = {
  context_id: "ctx_gallery",
  name: "Alder Home",
  avatar_name: "Mara",
  greeting: "Hello, I’m Mara. What are you looking for today?",
  model_style: {
    name: "mina",
    matte: "packed-alpha",
    poster: "/characters/mina-poster.webp",
    still: "/characters/mina-porthole.webp",
  },
  background: "/backgrounds/room.webp",
  stage: { transparent: false },
  ui: { suggestions: ["Find a reading chair", "Delivery", "Returns", "Ask about my order"] },
  idle_timeout_sec: 0,
  max_session_sec: 0,
  persist: "tab",
  direct: true,
};

/** A session that the test controls, and that records its calls. */
export class ScriptedSession implements AvatarSession {
  mode: AvatarSession["mode"] = "avatar";
  state: AvatarSession["state"] = "idle";
  activity: AvatarSession["activity"] = "idle";
  sessionId: string | null = null;
  transcript: TranscriptEntry[] = [];
  context: PublicContext | null = null;
  mediaElement: HTMLVideoElement | null = null;
  volume = 1;
  muted = false;
  microphone: AvatarSession["microphone"] = "off";
  /** The status of the visitor's voice, as it was told last. */
  heard: VoiceStatus = {
    state: "off",
    fault: null,
    turn: "none",
    words: "",
    handsFree: false,
    questionId: null,
  };
  /** Who recognizes the visitor's speech. */
  recognizer: RecognizerKind | null = "service";
  inView: boolean | null = null;
  readonly calls: (readonly [string, ...unknown[]])[] = [];
  /** The result of `loadContext()`; an error is thrown. */
  offered: PublicContext | Error = scriptedContext;
  /** What `start()` does, after "connecting". */
  onStart: () => Promise<void> = () => Promise.resolve();
  #listeners = new Map<string, Set<Listener>>();

  emit<K extends keyof SessionEvents>(type: K, detail: SessionEvents[K]): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(detail as never);
  }

  become(state: AvatarSession["state"], reason?: string): void {
    const previous = this.state;
    this.state = state;
    this.emit("statechange", { state, previous, ...(reason && { reason }) });
  }

  act(activity: AvatarSession["activity"]): void {
    this.activity = activity;
    this.emit("activitychange", { activity });
  }

  write(
    role: TranscriptEntry["role"],
    text: string,
    status: TranscriptEntry["status"] = "final",
    more: Pick<TranscriptEntry, "fault" | "unspoken" | "rest" | "content" | "found" | "attachments"> = {},
  ): void {
    const message = { id: String(this.transcript.length), role, text, status, at: 0, ...more };
    this.transcript = [...this.transcript, message];
    this.emit("message", { message });
  }

  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    // The panel's controls, which listen to it, may come after the change.
    if (type === "voicechange") queueMicrotask(() => this.emit("voicechange", this.heard));
    return () => listeners.delete(listener);
  }

  loadContext(): Promise<PublicContext> {
    if (this.offered instanceof Error) return Promise.reject(this.offered);
    this.context = this.offered;
    return Promise.resolve(this.offered);
  }

  prepare(): void {
    this.calls.push(["prepare"]);
  }

  resume(): Promise<Record<string, boolean> | null> {
    this.calls.push(["resume"]);
    return Promise.resolve(null);
  }

  async start(): Promise<void> {
    this.calls.push(["start"]);
    this.become("connecting");
    await this.onStart();
  }

  end(): Promise<void> {
    this.calls.push(["end"]);
    this.become("ended");
    return Promise.resolve();
  }

  send(text: string): Promise<void> {
    this.calls.push(["send", text]);
    this.write("visitor", text);
    return Promise.resolve();
  }

  retry(id: string): Promise<void> {
    this.calls.push(["retry", id]);
    return Promise.resolve();
  }

  discard(id: string): void {
    this.calls.push(["discard", id]);
  }

  finishSentence(): void {
    this.calls.push(["finishSentence"]);
  }

  resumeAnswer(id: string): Promise<void> {
    this.calls.push(["resumeAnswer", id]);
    return Promise.resolve();
  }

  stay(): void {
    this.calls.push(["stay"]);
  }

  setInView(inView: boolean): void {
    this.inView = inView;
  }

  say(text: string): void {
    this.calls.push(["say", text]);
  }

  show(content: RichContent): Promise<void> {
    this.calls.push(["show", content]);
    return Promise.resolve();
  }

  note(text: string): Promise<void> {
    this.calls.push(["note", text]);
    this.write("visitor", text);
    return Promise.resolve();
  }

  interrupt(): void {
    this.calls.push(["interrupt"]);
  }

  rate(rating: Rating): Promise<void> {
    this.calls.push(["rate", rating]);
    return Promise.resolve();
  }

  leaveMessage(message: VisitorMessage): Promise<void> {
    this.calls.push(["leaveMessage", message]);
    return Promise.resolve();
  }

  /** The files for the next question. */
  chosen: ChosenFile[] = [];
  refusedFiles: VisitorAttachments["refused"] = [];
  /** The files of questions, by id. */
  sentFiles: [id: string, file: File][] = [];

  attachments(): Promise<VisitorAttachments> {
    const chosen = (): ChosenFile[] => this.chosen;
    const refused = (): VisitorAttachments["refused"] => this.refusedFiles;
    return Promise.resolve({
      get chosen() {
        return chosen();
      },
      get sendable() {
        return chosen();
      },
      get refused() {
        return refused();
      },
      add: (files, kinds) => {
        this.calls.push(["attach", files.map(({ name }) => name), kinds]);
        return Promise.resolve();
      },
      remove: (id) => void this.calls.push(["detach", id]),
      retry: (id) => void this.calls.push(["upload again", id]),
      fileOf: (id) =>
        this.chosen.find((file) => file.id === id)?.file ?? new Map(this.sentFiles).get(id) ?? null,
      onChange: () => () => undefined,
    });
  }

  clear(): void {
    this.calls.push(["clear"]);
    this.transcript = [];
    this.emit("clear", undefined);
  }

  audioDevices: AudioDevices = {
    microphones: [
      { id: "a", label: "Headset" },
      { id: "b", label: "Built-in microphone" },
    ],
    speakers: [{ id: "c", label: "Headset" }],
  };

  /** The visitor's voice has this status from now on. */
  hear(status: Partial<VoiceStatus>): void {
    this.heard = { ...this.heard, ...status };
    this.microphone = this.heard.state;
    this.emit("voicechange", this.heard);
  }

  listen(): Promise<void> {
    this.calls.push(["listen"]);
    return Promise.resolve();
  }

  stopListening(): void {
    this.calls.push(["stopListening"]);
  }

  voice(): Promise<VisitorVoice> {
    const level = 0.6;
    const script = (): VoiceStatus => this.heard;
    return Promise.resolve({
      level,
      get status() {
        return script();
      },
      recognizer: () => Promise.resolve(this.recognizer),
      beginTurn: () => {
        this.calls.push(["beginTurn"]);
        this.hear({ state: "on", turn: "button", fault: null });
        return Promise.resolve();
      },
      devices: () => Promise.resolve(this.audioDevices),
      choose: (devices) => {
        this.calls.push(["choose", devices]);
        return Promise.resolve();
      },
      setHandsFree: (handsFree) => {
        this.calls.push(["setHandsFree", handsFree]);
        this.hear({ state: handsFree ? "on" : "off", handsFree });
        return Promise.resolve();
      },
      endTurn: (how) => {
        this.calls.push(["endTurn", how]);
        this.hear({ turn: "none" });
      },
    });
  }

  mute(): void {
    this.muted = true;
  }

  unmute(): void {
    this.muted = false;
  }

  setVariables(record: Variables): void {
    this.calls.push(["setVariables", record]);
  }

  registerTool(tool: ClientTool): void {
    this.calls.push(["registerTool", tool]);
  }

  setReducedMotion(reduced: boolean): void {
    this.calls.push(["setReducedMotion", reduced]);
  }

  setVoiceRate(rate: number): void {
    this.calls.push(["setVoiceRate", rate]);
  }

  setVideoSize(width: number, height: number): void {
    this.calls.push(["setVideoSize", width, height]);
  }

  resumeSound(): Promise<void> {
    this.calls.push(["resumeSound"]);
    return Promise.resolve();
  }

  dispose(): void {
    this.calls.push(["dispose"]);
    this.#listeners.clear();
  }
}
