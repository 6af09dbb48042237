import type { ReactiveController, ReactiveControllerHost } from "lit";
import * as z from "zod";
import { type LiveLine, liveEventSchema, type LiveTalk, type Presence } from "../../protocol/console/live.ts";

/** What is known of the conversation that is open. */
export interface OpenTalk {
  readonly sessionId: string;
  readonly lines: readonly LiveLine[];
  readonly variables: Readonly<Record<string, string>>;
  readonly takesFacts: boolean;
  readonly quickAnswers: readonly string[];
}

/** A stream that the server has refused, or a proxy while the server restarts, is asked for again after this time, in ms. */
const againMs = 3_000;

/** Listens to the server: the conversations that go on, and the lines of the one that is open. */
export class LiveFeed implements ReactiveController {
  talks: readonly LiveTalk[] = [];
  me: Presence | null = null;
  people: readonly Presence[] = [];
  open: OpenTalk | null = null;
  /** When the server's line was lost; null: it is there. */
  lostAt: Date | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #handle: () => void;
  readonly #signIn: () => Promise<unknown>;
  #source: EventSource | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;
  #wanted = "";
  #known = new Map<string, LiveTalk>();

  /** `handle` is called after each event; `signIn` where the stream was refused, as it is when a login has ended. */
  constructor(host: ReactiveControllerHost, handle: () => void, signIn: () => Promise<unknown>) {
    this.#host = host;
    this.#handle = handle;
    this.#signIn = signIn;
    host.addController(this);
  }

  /** Opens a conversation; "" for none. */
  show(sessionId: string): void {
    if (this.#source && sessionId === this.#wanted) return;
    this.#wanted = sessionId;
    this.#connect();
  }

  hostDisconnected(): void {
    clearTimeout(this.#again);
    this.#source?.close();
    this.#source = null;
  }

  #connect(): void {
    clearTimeout(this.#again);
    this.#source?.close();
    this.open = null;
    this.#known = new Map();
    const query = this.#wanted === "" ? "" : `?session=${encodeURIComponent(this.#wanted)}`;
    const source = new EventSource(`/api/console/live/stream/${query}`);
    this.#source = source;
    source.addEventListener("message", ({ data }: MessageEvent<string>) => {
      this.#take(data);
    });
    source.addEventListener("open", () => {
      // A new stream tells everything again.
      this.#known = new Map();
      this.open = null;
      this.lostAt = null;
      this.#host.requestUpdate();
    });
    source.addEventListener("error", () => {
      this.lostAt ??= new Date();
      this.#host.requestUpdate();
      // Browsers try again by themselves only where there was no answer at all.
      if (source.readyState === EventSource.CLOSED) void this.#connectAgain(source);
    });
  }

  async #connectAgain(refused: EventSource): Promise<void> {
    // The stream says what came of it.
    await this.#signIn().catch(() => undefined);
    if (this.#source !== refused) return;
    this.#again = setTimeout(() => {
      this.#connect();
    }, againMs);
  }

  #take(data: string): void {
    const event = z.safeParse(liveEventSchema, JSON.parse(data)).data;
    if (!event) return;
    if (event.type === "talks") {
      for (const id of event.gone) this.#known.delete(id);
      for (const talk of event.changed) this.#known.set(talk.session_id, talk);
      this.talks = [...this.#known.values()];
      this.me = event.me;
      this.people = event.people;
    } else if (event.session_id === this.#wanted)
      this.open = {
        sessionId: event.session_id,
        lines: [...(this.open?.lines ?? []), ...event.lines],
        variables: event.variables,
        takesFacts: event.takes_facts,
        quickAnswers: event.quick_answers,
      };
    this.#handle();
    this.#host.requestUpdate();
  }
}

/** Who a conversation needs, in the order of the list. */
export type Group = "needs" | "mine" | "avatar" | "others" | "over";
export const groups: readonly Group[] = ["needs", "mine", "avatar", "others", "over"];

/** The group of a conversation for an account. */
export function groupOf(talk: LiveTalk, account: string): Group {
  if (talk.ended_at !== null) return "over";
  if (talk.person) return talk.person.account === account ? "mine" : "others";
  return talk.need === null ? "avatar" : "needs";
}

/** The conversations by group: those that need somebody by the longest wait, the others by the newest. */
export function grouped(talks: readonly LiveTalk[], account: string): Map<Group, LiveTalk[]> {
  const found = new Map<Group, LiveTalk[]>(groups.map((group) => [group, []]));
  for (const talk of talks) found.get(groupOf(talk, account))?.push(talk);
  const since = ({ since: at, started_at: startedAt }: LiveTalk): string => at ?? startedAt;
  found.get("needs")?.sort((one, other) => since(one).localeCompare(since(other)));
  for (const group of ["mine", "avatar", "others", "over"] as const)
    found.get(group)?.sort((one, other) => other.started_at.localeCompare(one.started_at));
  return found;
}
