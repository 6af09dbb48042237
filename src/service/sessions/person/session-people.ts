import type { LiveEvent } from "../../../protocol/console/live.ts";
import type { PersonEvent } from "../../../protocol/session/person.ts";
import type { VisitorMessage } from "../../../protocol/session/visitor-message.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { EngineBudget } from "../answers/engine-budget.ts";
import type { LanguageDependencies } from "../answers/session-language.ts";
import type { SessionAccess } from "../life/session-access.ts";
import { createPersonDesk, type Operator, type PersonDependencies, type PersonDesk } from "./person-desk.ts";
import { leaveMessage } from "./session-messages.ts";
import { operatorFeed, visitorFeed } from "./person-feeds.ts";

/** What a page tells when it asks about people. */
export interface VisitorPlace {
  /** The last of a person's lines that the page has; null: those from now on. */
  after: number | null;
  page: string;
  path: string;
}

/** People who take part in conversations. */
export interface SessionPeople {
  desk: PersonDesk;
  /** How many are there for a session: its page should ask if anybody is. */
  count(session: Pick<SessionRecord, "organizationId" | "contextUuid">): Promise<number>;
  /** Throws a Fault where the session is over. */
  visitor(
    sessionId: string,
    place: VisitorPlace,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<PersonEvent | null, void>>;
  /** The visitor asks for a person, or stops. Throws a Fault where the session is over. */
  want(sessionId: string, isWanted: boolean): Promise<void>;
  /** The visitor leaves a message. Throws a Fault where the avatar takes none or something is missing. */
  leaveMessage(sessionId: string, message: VisitorMessage): Promise<void>;
  operator(
    operator: Operator,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LiveEvent | null, void>;
  /** The operator's console still reaches the service. */
  alive(operator: Operator): Promise<void>;
  /** Ends all streams. */
  stop(): void;
}

/** How long it is known how many of an organization are there, in ms. */
const knownForMs = 1_000;

/** How much of a page's title and path is kept, in characters. */
const placeMaxCharacters = 200;

/** Creates what people's part in the sessions of a service needs. */
export function createSessionPeople(
  dependencies: PersonDependencies & LanguageDependencies,
  {
    access,
    budget,
  }: { access: Pick<SessionAccess, "live" | "existing">; budget: Pick<EngineBudget, "takeModelCall"> },
): SessionPeople {
  const { store, clock } = dependencies;
  const desk = createPersonDesk(dependencies);
  const stopping = new AbortController();
  const parts = { ...dependencies, language: dependencies, desk, stopping: stopping.signal };
  /** A page has one stream; another one takes its place. */
  const streams = new Map<string, AbortController>();
  async function* onlyStream(
    session: SessionRecord,
    after: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<PersonEvent | null, void> {
    const replaced = new AbortController();
    streams.get(session.id)?.abort();
    streams.set(session.id, replaced);
    try {
      yield* visitorFeed(parts, session, after, AbortSignal.any([signal, replaced.signal]));
    } finally {
      if (streams.get(session.id) === replaced) streams.delete(session.id);
    }
  }

  /** Every heartbeat asks. */
  const known = new Map<string, { atMs: number; count: number }>();
  return {
    desk,
    async count({ organizationId, contextUuid }) {
      if (contextUuid === null) return 0;
      const nowMs = clock.nowMs();
      const last = known.get(organizationId);
      if (last && nowMs - last.atMs < knownForMs) return last.count;
      const count = (await store.live.people(organizationId, nowMs)).length;
      known.set(organizationId, { atMs: nowMs, count });
      return count;
    },
    async visitor(sessionId, { after, page, path }, signal) {
      const session = await access.live(sessionId);
      const cut = (text: string): string => text.slice(0, placeMaxCharacters);
      await store.live.describe(sessionId, { page: cut(page), path: cut(path) });
      dependencies.notices.publish(sessionId);
      return onlyStream(session, after, signal);
    },
    async want(sessionId, isWanted) {
      const session = await access.live(sessionId);
      // Each wish stays in the conversation: it counts as a question does.
      if (isWanted) await budget.takeModelCall(session);
      await desk.want(session, isWanted);
    },
    leaveMessage: (sessionId, message) => leaveMessage({ ...dependencies, access }, sessionId, message),
    operator: (operator, sessionId, signal) => operatorFeed(parts, operator, sessionId, signal),
    alive: ({ accountId }) => store.live.touchTalks(accountId, clock.nowMs()),
    stop: () => stopping.abort(),
  };
}
