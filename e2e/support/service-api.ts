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
interface OwnedContext extends Record<string, unknown> {
  id: string;
  embed_config: Record<string, unknown>;
}

/** Reads the owner's view of a context. */
async function readContext(server: Server, contextId: string): Promise<OwnedContext> {
  const answer = await callApi(server, `/api/console/b2c/contexts/?context_id=${contextId}`);
  const [context] = (await answer.json()) as OwnedContext[];
  if (!context) throw new Error(`There is no context ${contextId}.`);
  return context;
}

/** The snippets that the console offers for a context. */
export async function embedSnippets(server: Server, contextId: string): Promise<{ script_pinned: string }> {
  const { id } = await readContext(server, contextId);
  const answer = await callApi(server, `/api/console/b2c/contexts/${id}/embed/`);
  return (await answer.json()) as { script_pinned: string };
}

/** Changes a context and waits until the relay shows the change. */
export async function changeContext(
  server: Server,
  contextId: string,
  change: (context: OwnedContext) => void,
): Promise<void> {
  const context = await readContext(server, contextId);
  const publicView = async (): Promise<string> => {
    const headers = { Origin: server.origin };
    const answer = await fetch(`${server.origin}/embed/v1/contexts/${contextId}`, { headers });
    return `${answer.status} ${await answer.text()}`;
  };
  const before = await publicView();
  change(context);
  const answer = await callApi(server, `/api/console/b2c/contexts/${context.id}/`, {
    method: "PUT",
    body: JSON.stringify(context),
  });
  if (!answer.ok) throw new Error(`PUT answered ${answer.status}: ${await answer.text()}`);
  // The relay keeps a context for two seconds. A change of private fields does not show in the public view.
  const untilMs = Date.now() + 2_100;
  while (Date.now() < untilMs && (await publicView()) === before)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Changes the demo context's settings of the widget. The others stay. */
export async function changeUi(server: Server, ui: Record<string, unknown>): Promise<void> {
  await changeContext(server, "ctx_demo", ({ embed_config: config }) => {
    config["ui"] = { ...(config["ui"] as object), ...ui };
  });
}
