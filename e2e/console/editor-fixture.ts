import { contextPath, settings } from "../../test/console/editor/avatar-settings.ts";
import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";
import type { Server } from "../support/stack.ts";
import { callService, signIn } from "./console-fixture.ts";

/** An avatar as its owner's program reads it, in the parts that the tests of the editor look at. */
export interface Context {
  id: string;
  context_id: string;
  greeting: string;
  revision: number;
  embed_config: { ui?: Record<string, unknown>; stage?: Record<string, number>; allowed_origins?: string[] };
}

/** Calls the service as an owner's program, and reads the answer. */
export async function call<Answer>(
  server: Server,
  method: string,
  address: string,
  body?: unknown,
): Promise<Answer> {
  return (await (await callService(server, method, address, body)).json()) as Answer;
}

/** Makes an avatar. */
export const makeContext = (server: Server, changes: object = {}): Promise<Context> =>
  call<Context>(server, "POST", contextPath(), { ...settings, ...changes });

/** Signs in to the editor of an avatar called Mara. */
export async function showEditor(page: Page, server: Server, { id }: Context, tab: string): Promise<void> {
  await signIn(page, server, `/avatars/${id}/${tab}`);
  await expect(page.getByRole("heading", { level: 1, name: "Mara" })).toBeVisible();
}

/** The editor of a new avatar. */
export async function openEditor(
  page: Page,
  server: Server,
  tab = "look",
  changes: object = {},
): Promise<Context> {
  const context = await makeContext(server, changes);
  await showEditor(page, server, context, tab);
  return context;
}

/** The page in the preview. */
export const preview = (page: Page): FrameLocator => page.frameLocator("iframe.pv-frame");

/** The avatar in the preview, when it has replaced the one before. */
export const shownAvatar = (page: Page): Locator => preview(page).locator("#place > :not([data-waiting])");

export const saveButton = (page: Page): Locator => page.getByRole("button", { name: "Save", exact: true });
