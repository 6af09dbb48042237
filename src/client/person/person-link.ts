import { type PersonView, personEventSchema } from "../../protocol/session/person.ts";
import { readEventLines } from "../conversation/answering.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Call } from "../link/call.ts";
import { relayRequest, type RelayRequest } from "../relay/relay-request.ts";
import type { SessionEvents } from "../session-events.ts";
import type { TypedEvents } from "../typed-events.ts";

/** The pause before the stream is opened again, in ms. */
const againMs = 2_000;

/** The service says at least every 10 s that it is there. After so many ms without a word the stream is opened again. */
const silentMs = 25_000;

/** A session's stream about people: their words come into the transcript, and what is known of them as an event. */
class PersonLink {
  readonly #call: Call;
  readonly #conversation: Conversation;
  readonly #events: TypedEvents<SessionEvents>;
  readonly #signal: AbortSignal;
  #view: PersonView | null = null;

  constructor(
    call: Call,
    conversation: Conversation,
    events: TypedEvents<SessionEvents>,
    signal: AbortSignal,
  ) {
    this.#call = call;
    this.#conversation = conversation;
    this.#events = events;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      // What fails is tried again: the session's own care tells the visitor of a lost connection.
      await this.#listen().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }

  async #listen(): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silentMs);
    try {
      const query = new URLSearchParams({ page: document.title.slice(0, 200), path: location.pathname });
      const after = this.#lastLine();
      if (after !== undefined) query.set("after", String(after));
      const signal = AbortSignal.any([this.#signal, silence.signal]);
      const response = await this.#request({ signal, timeoutMs: 0 }, `?${query}`);
      if (!response.body) return;
      for await (const line of readEventLines(response.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silentMs);
        if (line) this.#take(line);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #request(request: Partial<RelayRequest>, query = ""): Promise<Response> {
    const { base, token } = this.#call.relay;
    return relayRequest({
      ...request,
      url: `${base}/person${query}`,
      purpose: "session",
      headers: { authorization: `Bearer ${token}` },
    });
  }

  /** The last of a person's lines that the transcript has. */
  #lastLine(): number | undefined {
    return this.#conversation.transcript.entries.findLast(({ line }) => line !== undefined)?.line;
  }

  #take(text: string): void {
    const event = personEventSchema.safeParse(JSON.parse(text)).data;
    if (!event) return;
    if (event.type === "state") this.#show(event);
    else if (event.type === "say") this.#conversation.say(event.text);
    else this.#add({ text: event.text, name: event.name, line: event.id });
  }

  #add({ text, ...said }: { text: string; name: string; line?: number; note?: "joined" | "left" }): void {
    const { transcript } = this.#conversation;
    const { id } = transcript.add("person", text, "streaming");
    transcript.update(id, { ...said, status: "final" });
  }

  #show(view: PersonView): void {
    const before = this.#view;
    this.#view = view;
    const wasJoined = before?.state === "joined";
    const isJoined = view.state === "joined";
    if (wasJoined && before.name !== view.name) this.#add({ text: "", name: before.name, note: "left" });
    if (isJoined && before?.name !== view.name) {
      this.#conversation.interrupt();
      // A page that takes the conversation up has the note already.
      const last = this.#conversation.transcript.entries.findLast(({ note }) => note);
      if (last?.note !== "joined" || last.name !== view.name)
        this.#add({ text: "", name: view.name, note: "joined" });
    }
    const { type: _, ...known } = view;
    this.#events.emit("person", {
      ...known,
      want: async (wanted) => {
        await this.#request({ body: { wanted } });
      },
    });
  }
}

/** Follows who is there for a session, until the signal. */
export function watchPeople(
  call: Call,
  conversation: Conversation,
  events: TypedEvents<SessionEvents>,
  signal: AbortSignal,
): void {
  void new PersonLink(call, conversation, events, signal).run();
}
