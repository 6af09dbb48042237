import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageStandIn } from "./page-stand-in.ts";

let page: PageStandIn;
let renewSession: (session: { readonly isLost: boolean; start(): Promise<void> }) => void;

beforeEach(async () => {
  vi.resetModules();
  ({ renewSession } = await import("../../src/client/session-renewal.ts"));
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

test("a lost session of a page that is looked at is started afresh at once", () => {
  const session = lostSession();
  renewSession(session);
  expect(session.start).toHaveBeenCalledOnce();
});

test("a page in the background starts one only when it is looked at again", () => {
  const session = lostSession();
  page.document.hidden = true;
  renewSession(session);
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(session.start).not.toHaveBeenCalled();
  page.document.hidden = false;
  page.document.dispatchEvent(new Event("visibilitychange"));
  expect(session.start).toHaveBeenCalledOnce();
});

test("nothing is started where the visitor was faster or the element is gone", () => {
  const session = { ...lostSession(), isLost: false };
  renewSession(session);
  expect(session.start).not.toHaveBeenCalled();
});

test("a session that is lost again within a minute waits for the visitor", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const session = lostSession();
  renewSession(session);
  renewSession(session);
  expect(session.start).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(61_000);
  renewSession(session);
  expect(session.start).toHaveBeenCalledTimes(2);
});
