import { runConsole } from "../../service/http/console/console-fixture.ts";
import type { RunningService } from "../../service/service-fixture.ts";
import { read, see } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";
import { contextPath, settings } from "./avatar-settings.ts";

/** An avatar as its owner's program reads it, in the parts that the tests of the editor look at. */
interface Saved {
  id: string;
  context_id: string;
  greeting: string;
  embed_config: Record<string, unknown> & { ui?: Record<string, unknown> };
}

interface Edited extends Stand {
  readonly id: string;
  readonly contextId: string;
  /** The avatar as it is saved. */
  saved(): Promise<Saved>;
  /** Somebody else saves other settings. */
  put(changes: object): Promise<Response>;
}

export async function makeAvatar(run: RunningService, changes: object = {}): Promise<Saved> {
  return (await (await run.send("POST", contextPath(), { ...settings, ...changes })).json()) as Saved;
}

/** The editor of an avatar called Mara, in a service of its own. */
export async function openEditor(
  tab: string,
  changes: object = {},
  { run: given, ...options }: Parameters<typeof openConsole>[1] = {},
): Promise<Edited> {
  const run = given ?? (await runConsole());
  const { id, context_id: contextId } = await makeAvatar(run, changes);
  const stand = await openConsole(`/avatars/${id}/${tab}`, { run, ...options });
  await see("heading", "Mara");
  return Object.assign(stand, {
    ...{ id, contextId },
    saved: async () => (await (await run.get(contextPath(id))).json()) as Saved,
    put: (more: object) => run.send("PUT", contextPath(id), { ...settings, ...more }),
  });
}

export const untilSaved = (): Promise<void> => read("All changes saved");
