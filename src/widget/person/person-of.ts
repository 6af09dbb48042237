import { type AvatarSession, VisavisError } from "../../client/index.ts";
import type { PersonStatus } from "../../client/person/person-status.ts";
import { announce } from "../session/element-events.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import { adoptStyles } from "../styles/style-sheets.ts";
import type { PanelActions, PanelHost, PanelModel } from "../panel/panel-host.ts";
import type { PersonParts } from "./person-view.ts";
import type * as personView from "./person-view.ts";

interface Given {
  readonly model: Pick<PanelModel, "t">;
  readonly session: Pick<SessionSnapshot, "state" | "transcript">;
  readonly current: AvatarSession | null;
  readonly host: PanelHost;
  readonly panel: Pick<PanelActions, "change">;
}

/** What is known of the people of each session. */
const statuses = new WeakMap<AvatarSession, PersonStatus | null>();

/** The question after which the visitor did not want a person, by session. */
const declined = new WeakMap<AvatarSession, string>();

/** What draws people, once somebody is there. */
let view: typeof personView | null = null;
let loading: Promise<void> | null = null;

async function load(host: PanelHost): Promise<void> {
  try {
    view = await import("./person-view.ts");
  } catch {
    // The next change tries again.
    loading = null;
  }
  host.requestUpdate();
}

/** Tells the page of a change, and opens the transcript for a person, whose words are there. */
function take(session: AvatarSession, { host, panel }: Given, status: PersonStatus): void {
  const before = statuses.get(session);
  statuses.set(session, status);
  const { state, name } = status;
  if (before?.state === "joined" && (state !== "joined" || before.name !== name))
    announce(host, "person", { state: "left", name: before.name });
  const isNew = before?.state !== state || before.name !== name;
  if (isNew && (state === "waiting" || state === "joined")) announce(host, "person", { state, name });
  if (isNew && state === "joined") panel.change({ textOpen: true, moreOpen: false });
  host.requestUpdate();
}

/** Follows what is known of a session's people, from the first time on. */
function follow(session: AvatarSession, given: Given): PersonStatus | null {
  const known = statuses.get(session);
  if (known !== undefined) return known;
  statuses.set(session, null);
  session.on("person", (status) => {
    take(session, given, status);
  });
  return null;
}

/** Asks for a person. False: nobody is there. */
export async function askForPerson(session: AvatarSession | null): Promise<boolean> {
  const status = session && statuses.get(session);
  if (!status || status.state === "away") return false;
  if (status.state === "here") await status.want(true);
  return true;
}

/** What people add to the panel; null while nobody is there and nobody was. */
export function personOf(given: Given): PersonParts | null {
  const { current, host, model, session } = given;
  if (!current) return null;
  const status = follow(current, given);
  const hasWords = session.transcript.some(({ role }) => role === "person");
  if (!status && !hasWords) return null;
  if (!view) {
    loading ??= load(host);
    return null;
  }
  const root = host.renderRoot.getRootNode();
  if (root instanceof ShadowRoot) adoptStyles(root, view.css);
  const last = session.transcript.findLast(({ role }) => role === "visitor")?.id ?? "";
  const isLive = session.state === "live" || session.state === "reconnecting";
  return view.personParts({
    t: model.t,
    status: isLive ? status : null,
    isDeclined: declined.get(current) === last,
    want: (isWanted) => {
      // The stream says what came of it.
      status?.want(isWanted).catch((error: unknown) => {
        if (error instanceof VisavisError)
          announce(host, "error", { code: error.code, message: error.message });
      });
    },
    decline: () => {
      declined.set(current, last);
      host.requestUpdate();
    },
  });
}
