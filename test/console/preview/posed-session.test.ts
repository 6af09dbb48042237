import { afterEach, describe, expect, test, vi } from "vitest";
import { PosedSession } from "../../../src/console/preview/posed-session.ts";
import type { Pose } from "../../../src/console/editor/preview/preview-message.ts";
import { observeSession, type SessionSnapshot } from "../../../src/widget/session/session-snapshot.ts";
import { scriptedContext } from "../../widget/scripted-session.ts";

const address = "https://relay.example/embed/v1/contexts/preview_1";

/** What the widget knows of a pose. */
async function seen(pose: Pose): Promise<SessionSnapshot> {
  let snapshot: SessionSnapshot | undefined;
  observeSession(new PosedSession(address, pose), (next) => (snapshot = next));
  await Promise.resolve();
  if (!snapshot) throw new Error("The session told nothing.");
  return snapshot;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a posed session", () => {
  test("is in the middle of its words", async () => {
    const snapshot = await seen({ kind: "speaking", words: "Hello, what are you looking for?" });
    expect(snapshot).toMatchObject({ state: "live", activity: "speaking" });
    expect(snapshot.caption).toEqual({ text: "Hello, what are you looking for?", index: 3 });
  });

  test("has greeted, and waits for the visitor", async () => {
    const snapshot = await seen({ kind: "ready", words: "Hello." });
    expect(snapshot).toMatchObject({ state: "live", activity: "idle", caption: null });
    expect(snapshot.transcript.map(({ role, text }) => [role, text])).toEqual([["avatar", "Hello."]]);
    expect((await seen({ kind: "ready", words: "" })).transcript).toEqual([]);
  });

  test("has no line free", async () => {
    const { state, error } = await seen({ kind: "busy", words: "Hello." });
    expect(state).toBe("error");
    expect(error).toMatchObject({ code: "quota_exceeded", limit: "busy" });
  });

  test("reads its context from the relay once, and says when it cannot", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json(scriptedContext)));
    vi.stubGlobal("fetch", fetched);
    const session = new PosedSession(address, { kind: "ready", words: "" });
    expect((await session.loadContext()).name).toBe("Alder Home");
    await session.loadContext();
    expect(fetched).toHaveBeenCalledExactlyOnceWith(address, { credentials: "omit" });
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 404 })));
    await expect(new PosedSession(address, { kind: "ready", words: "" }).loadContext()).rejects.toThrow(
      "404",
    );
  });
});
