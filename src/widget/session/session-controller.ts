import type { ReactiveController, ReactiveControllerHost } from "lit";
import {
  VisavisError,
  type AvatarSession,
  type AvatarSessionOptions,
  type ClientTool,
  type SessionState,
} from "../../client/index.ts";
import { addTool } from "../../client/conversation/client-tool.ts";
import { volumeOf } from "../../client/speech/volume.ts";
import type { Variables } from "../../protocol/session/variables.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import { announce, forwardEvents } from "./element-events.ts";
import { emptySnapshot, observeSession, type SessionSnapshot } from "./session-snapshot.ts";

/** Where the controller's sessions come from. */
export interface SessionSource {
  /** The element's present attributes. */
  options(): AvatarSessionOptions;
  make(options: AvatarSessionOptions): AvatarSession;
}

/**
 * The session of one element: made when it is first needed, and made again when the element's attributes name another
 * context. Variables and tools that the page has set are given to each session. Ends when the element is removed.
 */
export class SessionController implements ReactiveController {
  snapshot: SessionSnapshot = emptySnapshot;
  /** Whether the avatar is drawn here from the next start on; undefined while that is not known. */
  isDrawn: boolean | undefined;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #source: SessionSource;
  #session: AvatarSession | null = null;
  #key = "";
  #stops: (() => void)[] = [];
  readonly #tools = new Map<string, ClientTool>();
  #variables: Variables = {};
  #volume = 1;
  #silent = false;
  #unreachable = false;

  constructor(host: ReactiveControllerHost & HTMLElement, source: SessionSource) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
  }

  hostDisconnected(): void {
    // An element that is only moved in the page keeps its session.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.dispose();
    });
  }

  /** The context's public view, once the session has it. */
  get context(): PublicContext | null {
    return this.#session?.context ?? null;
  }

  /** Who is to draw the avatar: as the page wants it, or the owner. */
  get drawer(): string | undefined {
    return this.#host.getAttribute("render") ?? this.context?.render;
  }

  /** Whether the avatar may be drawn here; with `isSure`, only if that is certain. */
  mayDraw(isSure: boolean): boolean {
    return this.drawer === "local" || (!isSure && this.drawer !== "remote");
  }

  /** The session, if one was needed yet. */
  get current(): AvatarSession | null {
    return this.#session;
  }

  /** The session for the element's present attributes, made now if there is none. */
  ensure(): AvatarSession {
    const options = this.#source.options();
    const key = JSON.stringify(options);
    if (this.#session && (key === this.#key || this.isBusy)) return this.#session;
    this.dispose();
    const session = this.#source.make(options);
    this.#session = session;
    this.#key = key;
    this.#applyVolume();
    session.setVariables(this.#variables);
    for (const tool of this.#tools.values()) session.registerTool(tool);
    const tell = (snapshot: SessionSnapshot) => {
      this.#unreachable = false;
      this.snapshot = snapshot;
      this.#host.requestUpdate();
    };
    this.#stops = [observeSession(session, tell), forwardEvents(session, this.#host)];
    return session;
  }

  /**
   * Loads the context's public view. When the visitor waits for it (`waitedFor`), a failure is shown and sent to the page
   * as `visavis-error`. Otherwise it is ignored: the next call tries again.
   */
  async loadContext(waitedFor = true): Promise<PublicContext | null> {
    const session = this.ensure();
    try {
      await session.loadContext();
      this.forgetFailure();
    } catch (error) {
      if (session !== this.#session || !waitedFor) return null;
      const { code, message } = VisavisError.from(error, "network", String(error));
      const previous = this.state;
      this.#unreachable = true;
      this.snapshot = { ...emptySnapshot, state: "error", error: { code, message, atMs: Date.now() } };
      announce(this.#host, "error", { code, message });
      announce(this.#host, "statechange", { state: "error", previous, reason: code });
    }
    this.#host.requestUpdate();
    return this.context;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = volumeOf(volume);
    this.#applyVolume();
  }

  /** The visitor does not want to hear the avatar, however loud the page has made it. */
  set silent(silent: boolean) {
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.#applyVolume();
  }

  #applyVolume(): void {
    if (this.#session) this.#session.volume = this.#silent ? 0 : this.#volume;
  }

  setVariables(variables: Variables): void {
    this.#variables = { ...this.#variables, ...variables };
    this.#session?.setVariables(variables);
  }

  /** What visitors read while the page's tool of that name runs; null if the page gave it no title. */
  toolTitle(name: string): string | null {
    return this.#tools.get(name)?.title ?? null;
  }

  registerTool(tool: ClientTool): void {
    addTool(this.#tools, tool);
    this.#session?.registerTool(tool);
  }

  /** The session's state; "error" also when the context could not be loaded. */
  get state(): SessionState {
    return this.#unreachable ? "error" : (this.#session?.state ?? "idle");
  }

  /** Removes the error of a context that could not be loaded. */
  forgetFailure(): void {
    if (this.#unreachable) this.snapshot = emptySnapshot;
    this.#unreachable = false;
  }

  /** Removes how the last session ended: the panel opens on its start page again. */
  forgetEnd(): void {
    this.forgetFailure();
    const { state } = this.snapshot;
    if (state === "ended" || state === "error") this.snapshot = emptySnapshot;
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#session?.dispose();
    this.#session = null;
    this.#unreachable = false;
    this.snapshot = emptySnapshot;
  }

  /** A session is connecting or connected. */
  get isBusy(): boolean {
    return ["connecting", "live", "reconnecting"].includes(this.#session?.state ?? "idle");
  }
}
