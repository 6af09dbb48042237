import type { LiveEvent, LiveLine, LiveTalk, Presence } from "../../../protocol/console/live.ts";
import type { PersonEvent, PersonView } from "../../../protocol/session/person.ts";
import type { ListedTalk, PresenceRecord, SessionRecord, TalkLine } from "../../store/store.ts";
import { justOverMs } from "../../retention.ts";
import { sessionModel, type LanguageDependencies } from "../answers/session-language.ts";
import type { SessionNotices } from "../life/session-notices.ts";
import { bylineOf, type Operator, type PersonDependencies, type PersonDesk } from "./person-desk.ts";

/** Changes that come together are told together, after so many ms. */
const gatherMs = 60;

/** How often streams look by themselves: for what only time changes. In ms. */
const tickMs = 10_000;

/** The same while a person answers, whose line may be lost. */
const answeringTickMs = 1_000;

/** After how long without a sign of the person's console the visitor is told, in ms. */
const toldAfterMs = 5_000;

/** When the avatar goes on, in s after the last sign. */
const goesOnSec = 20;

/** How far back waits are counted for an estimate, in ms, and the fewest that make one. */
const waitsWithinMs = 60 * 60_000;
const fewestWaits = 3;

/** Wakes who waits when something has changed. */
class Changes {
  readonly #isWanted: (id: string | null) => boolean;
  #isChanged = false;
  #wake: () => void = () => undefined;

  constructor(isWanted: (id: string | null) => boolean) {
    this.#isWanted = isWanted;
  }

  readonly handleNotice = (id: string | null): void => {
    if (this.#isWanted(id)) this.tell();
  };

  readonly tell = (): void => {
    this.#isChanged = true;
    this.#wake();
  };

  /** Resolves after a change, or after a time. A turn of a conversation changes several things at once. */
  async next(withinMs: number): Promise<void> {
    if (!this.#isChanged)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    if (this.#isChanged) await new Promise((resolve) => setTimeout(resolve, gatherMs));
  }

  /** What comes from now on is new. */
  begin(): void {
    this.#isChanged = false;
  }
}

/** Turns that come at once, after notices that are wanted, and at latest after `tick()` ms. Ends with the signal. */
async function* changes(
  notices: SessionNotices,
  signal: AbortSignal,
  isWanted: (id: string | null) => boolean,
  tick: () => number,
): AsyncGenerator<void> {
  const known = new Changes(isWanted);
  const unsubscribe = notices.subscribe(known.handleNotice);
  signal.addEventListener("abort", known.tell, { once: true });
  try {
    while (!signal.aborted) {
      known.begin();
      yield;
      await known.next(tick());
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", known.tell);
  }
}

/** What the streams about people are made from. */
export interface FeedParts extends PersonDependencies, Pick<LanguageDependencies, "languageModel"> {
  language: LanguageDependencies;
  desk: PersonDesk;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

async function viewOf(
  { store, clock, desk }: FeedParts,
  { id, organizationId }: SessionRecord,
  organization: string,
): Promise<PersonView> {
  const nowMs = clock.nowMs();
  const talk = await desk.current(id);
  const people = await store.live.people(organizationId, nowMs);
  const common = {
    type: "state",
    organization,
    people: people.map(({ name }) => name),
    lost_sec: null,
  } as const;
  const unnamed = { ...common, name: "", place: 0, wait_sec: null, is_writing: false };
  if (talk?.state === "person") {
    const silentMs = nowMs - talk.seenAtMs;
    return {
      ...{ ...unnamed, state: "joined", name: talk.name },
      is_writing: talk.writingUntilMs > nowMs,
      lost_sec: silentMs < toldAfterMs ? null : Math.max(0, goesOnSec - Math.floor(silentMs / 1000)),
    };
  }
  if (talk?.state !== "waiting") return { ...unnamed, state: people.length > 0 ? "here" : "away" };
  const waits = await store.live.waits(organizationId, nowMs - waitsWithinMs);
  const place = (await store.live.waiting(organizationId)).indexOf(id) + 1;
  const meanMs = waits.reduce((sum, ms) => sum + ms, 0) / Math.max(waits.length, 1);
  return {
    ...{ ...unnamed, state: "waiting", place },
    wait_sec: waits.length < fewestWaits ? null : Math.ceil((meanMs * Math.max(place, 1)) / 1000),
  };
}

/** Where a page that has no line yet begins: when the person joined, or now. */
async function firstLine({ store }: FeedParts, sessionId: string): Promise<number> {
  const lines = await store.live.lines(sessionId, 0);
  const isAnswered = (await store.live.talk(sessionId))?.state === "person";
  const joined = lines.findLast(({ role, text }) => role === "note" && text === "joined");
  return (isAnswered ? joined : lines.at(-1))?.id ?? 0;
}

const visitorLine = ({ id, role, name, text, answered }: TalkLine): PersonEvent[] => {
  if (role === "person") return [{ type: "line", id, name, text }];
  return role === "whisper" && answered ? [{ type: "say", id, text }] : [];
};

/**
 * What a visitor's page is told about people: the state, and their words after the line `after`; null of it: those from now on. Yields null
 * as a sign of life. Ends with the session.
 */
export async function* visitorFeed(
  parts: FeedParts,
  session: SessionRecord,
  after: number | null,
  signal: AbortSignal,
): AsyncGenerator<PersonEvent | null, void> {
  const { store, notices, stopping, desk } = parts;
  const { id, organizationId } = session;
  const organization =
    (await store.organizations.list()).find((one) => one.id === organizationId)?.name ?? "";
  let last = after ?? (await firstLine(parts, id));
  let told = "";
  let isAnswered = false;
  const either = AbortSignal.any([signal, stopping]);
  const isWanted = (changed: string | null) =>
    changed === null || changed === id || changed === organizationId;
  for await (const _ of changes(notices, either, isWanted, () => (isAnswered ? answeringTickMs : tickMs))) {
    const { terminationReason = null } = (await store.sessions.byId(id))?.state ?? {};
    if (terminationReason !== null) return;
    let view = await viewOf(parts, session, organization);
    if (view.state === "waiting" && view.people.length === 0) {
      await desk.want(session, false);
      view = { ...view, state: "away", place: 0, wait_sec: null };
    }
    isAnswered = view.state === "joined";
    const lines = await store.live.lines(id, last);
    last = lines.at(-1)?.id ?? last;
    const text = JSON.stringify(view);
    // Who joins comes before their words, who leaves after them.
    if (text !== told && view.state === "joined") yield view;
    yield* lines.flatMap(visitorLine);
    if (text !== told && view.state !== "joined") yield view;
    if (text === told) yield null;
    told = text;
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

const presenceView = ({ accountId, name, untilMs }: PresenceRecord, nowMs: number): Presence => ({
  account: accountId,
  name,
  until: untilMs > nowMs ? iso(untilMs) : null,
});

const talkView = (talk: ListedTalk, avatar: string, nowMs: number): LiveTalk => ({
  session_id: talk.sessionId,
  avatar,
  started_at: iso(talk.startedAtMs),
  ended_at: talk.endedAtMs === null ? null : iso(talk.endedAtMs),
  state: talk.state,
  need: talk.need,
  since: talk.sinceMs === null ? null : iso(talk.sinceMs),
  person: talk.accountId === null ? null : { account: talk.accountId, name: talk.name },
  is_writing: talk.writingUntilMs > nowMs,
  last: talk.last,
  page: talk.page,
  path: talk.path,
});

const lineView = ({ atMs, ...line }: TalkLine): LiveLine => ({ ...line, at: iso(atMs) });

/** The list, of which only what has changed since the last reading is told. */
class TalkList {
  #told = new Map<string, string>();
  #people = "";
  #isFirst = true;
  readonly #parts: FeedParts;
  readonly #operator: Operator;

  constructor(parts: FeedParts, operator: Operator) {
    this.#parts = parts;
    this.#operator = operator;
  }

  async read(): Promise<LiveEvent[]> {
    const { store, clock } = this.#parts;
    const { organizationId, accountId } = this.#operator;
    const nowMs = clock.nowMs();
    const contexts = await store.contexts.list(organizationId);
    const names = new Map(contexts.map(({ id, name, config }) => [id, config.ui?.avatar_name ?? name]));
    const talks = (await store.live.list(organizationId, nowMs, nowMs - justOverMs)).map((talk) =>
      talkView(talk, names.get(talk.contextUuid) ?? "", nowMs),
    );
    const people = (await store.live.people(organizationId, nowMs)).map((one) => presenceView(one, nowMs));
    const own = await store.live.presence(organizationId, accountId);
    const me = presenceView(own ?? { accountId, name: bylineOf(this.#operator), untilMs: 0 }, nowMs);
    const now = new Map(talks.map((talk) => [talk.session_id, JSON.stringify(talk)]));
    const changed = talks.filter(({ session_id: id }) => now.get(id) !== this.#told.get(id));
    const gone = [...this.#told.keys()].filter((id) => !now.has(id));
    const around = JSON.stringify([me, people]);
    if (!this.#isFirst && changed.length === 0 && gone.length === 0 && around === this.#people) return [];
    [this.#told, this.#people, this.#isFirst] = [now, around, false];
    return [{ type: "talks", me, people, changed, gone }];
  }
}

/** The lines of the conversation that is open. */
class OpenTalk {
  #last = 0;
  #told = "";
  #about: Pick<Extract<LiveEvent, { type: "talk" }>, "takes_facts" | "quick_answers"> | null = null;
  readonly #parts: FeedParts;
  readonly #organizationId: string;
  readonly #sessionId: string;

  constructor(parts: FeedParts, { organizationId }: Operator, sessionId: string) {
    this.#parts = parts;
    this.#organizationId = organizationId;
    this.#sessionId = sessionId;
  }

  async read(): Promise<LiveEvent[]> {
    const { store } = this.#parts;
    const sessionId = this.#sessionId;
    const conversation = await store.conversations.byId(this.#organizationId, sessionId);
    if (conversation === null) return [];
    this.#about ??= {
      takes_facts: await this.#readFacts(),
      quick_answers:
        (await store.contexts.byUuid(this.#organizationId, conversation.contextUuid))?.config.quick_answers ??
        [],
    };
    const lines = await store.live.lines(sessionId, this.#last);
    const variables = (await store.live.talk(sessionId))?.variables ?? {};
    const told = JSON.stringify(variables);
    if (this.#told === told && lines.length === 0) return [];
    this.#told = told;
    this.#last = lines.at(-1)?.id ?? this.#last;
    return [{ type: "talk", session_id: sessionId, lines: lines.map(lineView), variables, ...this.#about }];
  }

  /** Whether a language model answers, which can use a fact. */
  async #readFacts(): Promise<boolean> {
    const { store, language } = this.#parts;
    const session = await store.sessions.byId(this.#sessionId);
    const request = (await store.sessions.detail(this.#sessionId))?.request;
    const model = session && request ? await sessionModel(language, session, request) : null;
    return model !== null && model.quotesOnly !== true;
  }
}

/**
 * What an operator's console is told: the list of conversations, and the lines of the one that is open. Yields null as a sign of life.
 * An operator whose stream is open is there, if they have said so.
 */
export async function* operatorFeed(
  parts: FeedParts,
  operator: Operator,
  sessionId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent | null, void> {
  const { store, clock, notices, stopping } = parts;
  const list = new TalkList(parts, operator);
  const open = sessionId === undefined ? null : new OpenTalk(parts, operator, sessionId);
  const either = AbortSignal.any([signal, stopping]);
  for await (const _ of changes(
    notices,
    either,
    () => true,
    () => tickMs,
  )) {
    await store.live.touch(operator.accountId, clock.nowMs());
    const events = [...(await list.read()), ...((await open?.read()) ?? [])];
    if (events.length === 0) yield null;
    else yield* events;
  }
}
