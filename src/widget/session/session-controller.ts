import {
  createAvatarSession,
  VisavisError,
  type AvatarSession,
  type AvatarSessionOptions,
  type ClientTool,
  type SessionState,
} from "../../client/index.ts";
import type { Variables } from "../../protocol/llm-stream.ts";
import type { PublicContext } from "../../protocol/relay-api.ts";
import { announce, forwardEvents } from "./element-events.ts";
import { emptyConversation, followSession, type Conversation } from "./session-snapshot.ts";

type MakeSession = (options: AvatarSessionOptions) => AvatarSession;

/** What an element tells its session, and is told by it. */
export interface SessionHoldOptions {
  readonly element: HTMLElement;
  readonly read: () => AvatarSessionOptions;
  readonly changed: () => void;
  readonly makeSession?: MakeSession | undefined;
}

/**
 * One element's session: made when it is first needed, made anew when the element's attributes name another context,
 * with the variables and tools that the page has set before.
 */
export class SessionHold {
  conversation: Conversation = emptyConversation;
  readonly #options: SessionHoldOptions;
  #session: AvatarSession | null = null;
  #key = "";
  #stops: (() => void)[] = [];
  #tools: ClientTool[] = [];
  #variables: Variables = {};
  #volume = 1;
  #unreachable = false;

  constructor(options: SessionHoldOptions) {
    this.#options = options;
  }

  /** The context's public view, once the session has it. */
  get context(): PublicContext | null {
    return this.#session?.context ?? null;
  }

  /** The session, if one was needed yet. */
  get current(): AvatarSession | null {
    return this.#session;
  }

  /** The session for the element's present attributes. */
  get session(): AvatarSession {
    const options = this.#options.read();
    const key = JSON.stringify(options);
    if (this.#session && (key === this.#key || this.#isBusy())) return this.#session;
    this.dispose();
    const session = (this.#options.makeSession ?? createAvatarSession)(options);
    this.#session = session;
    this.#key = key;
    session.volume = this.#volume;
    session.setVariables(this.#variables);
    for (const tool of this.#tools) session.registerTool(tool);
    const tell = (conversation: Conversation) => {
      this.#unreachable = false;
      this.conversation = conversation;
      this.#options.changed();
    };
    this.#stops = [followSession(session, tell), forwardEvents(session, this.#options.element)];
    return session;
  }

  /**
   * The context's public view. Where the visitor waits for it, a failure becomes the conversation's error and is told
   * as `visavis-error`; ahead of that it is passed over, for the next call asks again.
   */
  async loadContext(waitedFor = true): Promise<PublicContext | null> {
    const { session } = this;
    try {
      await session.loadContext();
      this.forgetFailure();
    } catch (error) {
      if (session !== this.#session || !waitedFor) return null;
      const code = error instanceof VisavisError ? error.code : "network";
      const message = error instanceof Error ? error.message : String(error);
      const previous = this.state;
      this.#unreachable = true;
      this.conversation = { ...emptyConversation, state: "error", error: { code, atMs: Date.now() } };
      announce(this.#options.element, "error", { code, message });
      announce(this.#options.element, "statechange", { state: "error", previous, reason: code });
    }
    this.#options.changed();
    return this.context;
  }

  get volume(): number {
    return this.#session?.volume ?? this.#volume;
  }

  set volume(volume: number) {
    this.#volume = volume;
    if (this.#session) this.#session.volume = volume;
  }

  setVariables(variables: Variables): void {
    this.#variables = { ...this.#variables, ...variables };
    this.#session?.setVariables(variables);
  }

  registerTool(tool: ClientTool): void {
    this.#tools.push(tool);
    this.#session?.registerTool(tool);
  }

  /** The session's state; without a context there is none, which is an error too. */
  get state(): SessionState {
    return this.#unreachable ? "error" : (this.#session?.state ?? "idle");
  }

  /** The context is there, or is asked for anew. */
  forgetFailure(): void {
    if (this.#unreachable) this.conversation = emptyConversation;
    this.#unreachable = false;
  }

  /** Forgets how the last conversation ended, so that the next opening begins afresh. */
  forgetEnd(): void {
    this.forgetFailure();
    const { state } = this.conversation;
    if (state === "ended" || state === "error") this.conversation = emptyConversation;
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#session?.dispose();
    this.#session = null;
    this.#unreachable = false;
    this.conversation = emptyConversation;
  }

  #isBusy(): boolean {
    return ["connecting", "live", "reconnecting"].includes(this.#session?.state ?? "idle");
  }
}
