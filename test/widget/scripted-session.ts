import type { AvatarSession, ClientTool, SessionEvents, TranscriptEntry } from "../../src/client/index.ts";
import type { Variables } from "../../src/protocol/llm-stream.ts";
import type { PublicContext } from "../../src/protocol/relay-api.ts";

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
  direct: true,
};

/** A session that does what a test says, and records its calls. */
export class ScriptedSession implements AvatarSession {
  state: AvatarSession["state"] = "idle";
  activity: AvatarSession["activity"] = "idle";
  sessionId: string | null = null;
  transcript: TranscriptEntry[] = [];
  context: PublicContext | null = null;
  mediaElement: HTMLVideoElement | null = null;
  volume = 1;
  muted = false;
  readonly calls: (readonly [string, ...unknown[]])[] = [];
  /** The result of `loadContext()`; an error is thrown. */
  offered: PublicContext | Error = scriptedContext;
  /** What `start()` does, after "connecting". */
  onStart: () => Promise<void> = () => Promise.resolve();
  #listeners = new Map<string, Set<Listener>>();

  emit<K extends keyof SessionEvents>(type: K, detail: SessionEvents[K]): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(detail as never);
  }

  become(state: AvatarSession["state"]): void {
    const previous = this.state;
    this.state = state;
    this.emit("statechange", { state, previous });
  }

  act(activity: AvatarSession["activity"]): void {
    this.activity = activity;
    this.emit("activitychange", { activity });
  }

  write(role: TranscriptEntry["role"], text: string, status: TranscriptEntry["status"] = "final"): void {
    const message = { id: String(this.transcript.length), role, text, status, at: 0 };
    this.transcript = [...this.transcript, message];
    this.emit("message", { message });
  }

  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
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

  say(text: string): void {
    this.calls.push(["say", text]);
  }

  interrupt(): void {
    this.calls.push(["interrupt"]);
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
