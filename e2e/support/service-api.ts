import { expect } from "@playwright/test";
import { canaryKey, type Server } from "./stack.ts";

/** Calls the service's interface with the API key, as the owner's server does. */
export async function callApi(
  server: Server,
  path: string,
  init: Omit<RequestInit, "headers"> = {},
): Promise<Response> {
  return fetch(`${server.origin}${path}`, {
    ...init,
    headers: { "ServicePlatform-APIKey": canaryKey, "content-type": "application/json" },
  });
}

/** The lifecycle events that the service has stored for a session, oldest first. */
export async function storedEvents(server: Server, sessionId: string): Promise<string[]> {
  const answer = await callApi(server, `/api/v1/session/${sessionId}/event/`);
  return ((await answer.json()) as { event: string }[]).map(({ event }) => event);
}

/** A session as its owner reads it. */
export async function sessionView(server: Server, sessionId: string): Promise<Record<string, unknown>> {
  return (await (await callApi(server, `/api/v1/session/${sessionId}/`)).json()) as Record<string, unknown>;
}

/** Why a session ended, or null while it runs. */
export async function terminationReason(server: Server, sessionId: string): Promise<unknown> {
  return (await sessionView(server, sessionId))["termination_reason"];
}

/** Number of live sessions by the service's own count. */
export async function liveSessions(server: Server): Promise<number> {
  const text = await (await callApi(server, "/metrics")).text();
  return [...text.matchAll(/^visavis_sessions\{[^}]*\} (\d+)$/gm)]
    .map((match) => Number(match[1]))
    .reduce((total, count) => total + count, 0);
}

/** A context as its owner reads and writes it. */
export interface OwnedContext extends Record<string, unknown> {
  id: string;
  context_id: string;
  embed_config: Record<string, unknown>;
}

/** Changes a context in place. */
export type ChangeContext = (context: OwnedContext) => void;

/** A context of a server, by its public id. */
export interface ContextPlace {
  readonly server: Server;
  readonly context: string;
}

/** Reads the owner's view of a context. */
export async function readContext({ server, context: contextId }: ContextPlace): Promise<OwnedContext> {
  const answer = await callApi(server, `/api/console/b2c/contexts/?context_id=${contextId}`);
  const [context] = (await answer.json()) as OwnedContext[];
  if (!context) throw new Error(`There is no context ${contextId}.`);
  return context;
}

async function writeContext(
  server: Server,
  method: string,
  path: string,
  body: object,
): Promise<OwnedContext> {
  const answer = await callApi(server, `/api/console/b2c/contexts/${path}`, {
    method,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as OwnedContext;
}

/** Makes a copy of the demo context with changes. Returns its public id. */
export async function makeContext(server: Server, change: ChangeContext = () => undefined): Promise<string> {
  const copy = await readContext({ server, context: "ctx_demo" });
  change(copy);
  const { id: _id, context_id: _contextId, ...body } = copy;
  const made = await writeContext(server, "POST", "", body);
  return made.context_id;
}

/** The snippets that the console offers for a context. */
export async function embedSnippets(place: ContextPlace): Promise<{ script_pinned: string }> {
  const { id } = await readContext(place);
  const answer = await callApi(place.server, `/api/console/b2c/contexts/${id}/embed/`);
  return (await answer.json()) as { script_pinned: string };
}

/** Changes a context that no page has asked for yet. */
export async function prepareContext(place: ContextPlace, change: ChangeContext): Promise<void> {
  const context = await readContext(place);
  change(context);
  await writeContext(place.server, "PUT", `${context.id}/`, context);
}

/** Changes a context and waits until the relay shows the change. */
export async function changeContext(place: ContextPlace, change: ChangeContext): Promise<void> {
  const { server, context: contextId } = place;
  const context = await readContext(place);
  change(context);
  // Not every field is public. The name is: an invisible letter more shows which version the relay has.
  const name = `${String(context["name"])}\u200b`;
  await writeContext(server, "PUT", `${context.id}/`, { ...context, name });
  const shownName = async (): Promise<unknown> => {
    const headers = { Origin: server.origin };
    const answer = await fetch(`${server.origin}/embed/v1/contexts/${contextId}`, { headers });
    return answer.ok ? ((await answer.json()) as { name: string }).name : answer.status;
  };
  // An inactive context has no public view.
  await expect.poll(shownName).toBe(context["is_active"] === false ? 403 : name);
}
