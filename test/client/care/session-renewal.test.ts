import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageStandIn } from "../page-stand-in.ts";

let page: PageStandIn;
let renewSession: (session: { readonly isLost: boolean; start(): Promise<void> }) => void;

beforeEach(async () => {
  vi.resetModules();
  ({ renewSession } = await import("../../../src/client/care/session-renewal.ts"));
  page = new PageStandIn();
  page.install();
});

afterEach(() => {
  vi.useRealTimers();
  page.remove();
});

function lostSession() {
  return { isLost: true, start: vi.fn(() => Promise.resolve()) };
}

test("starts a new session at once when the page is visible", () => {
  const session = lostSession();
  renewSession(session);
  expect(session.start).toHaveBeenCalledOnce();
});

test("starts a new session for a page in the background only when it becomes visible", () => {
  const session = lostSession();
  page.document.hidden = true;
  renewSession(session);
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(session.start).not.toHaveBeenCalled();
  page.document.hidden = false;
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(session.start).toHaveBeenCalledOnce();
});

test("starts nothing when the visitor has started a session already or the element is gone", () => {
  const session = { ...lostSession(), isLost: false };
  renewSession(session);
  expect(session.start).not.toHaveBeenCalled();
});

test("waits for the visitor when a session is lost again within a minute", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const session = lostSession();
  renewSession(session);
  renewSession(session);
  expect(session.start).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(61_000);
  renewSession(session);
  expect(session.start).toHaveBeenCalledTimes(2);
});
