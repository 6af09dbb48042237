/** The minutes of a day, which all sessions of a context use up together. */
import { expect, test } from "../support/test.ts";
import type { RelaySessionResponse } from "../../src/protocol/session/relay-session.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { openAvatar, panelText } from "../support/talk.ts";
import { avatar, type AvatarElement } from "../support/widget.ts";

const served = useSite();

/** Begins conversations in writing of other visitors. Returns what sends a heartbeat of each. */
async function startOthers(relay: string, context: string, count: number): Promise<() => Promise<unknown>> {
  const post = (path: string, body: object, token?: string): Promise<Response> =>
    fetch(`${relay}/embed/v1/sessions${path}`, {
      method: "POST",
      headers: {
        Origin: relay,
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  const start = async (): Promise<(event: string) => Promise<Response>> => {
    const answer = await post("", { context_id: context, mode: "text" });
    expect(answer.ok).toBe(true);
    const { session, token } = (await answer.json()) as RelaySessionResponse;
    return (event) => post(`/${session.session_id}/event`, { event }, token);
  };
  const reports = await Promise.all(Array.from({ length: count }, start));
  await Promise.all(reports.map((report) => report("SESSION_START")));
  return () => Promise.all(reports.map((report) => report("SESSION_DURING")));
}

test("the day's minutes end running sessions, after a notice, and none can be started again", async ({
  page,
}) => {
  await changeContext(served, (owned) => {
    owned.embed_config["limits"] = { minutes_per_day: 1 };
  });
  await openAvatar(page, served.site.origin);
  await expect(avatar(page).locator(".vv-time-left")).toHaveText(/left in this conversation/);
  // Twelve others use up the minute in five seconds. The page learns of it with the answer to its next heartbeat.
  const sendHeartbeats = await startOthers(served.server.origin, served.context, 12);
  await expect(async () => {
    await sendHeartbeats();
    expect(await avatar(page).evaluate(({ state }: AvatarElement) => state)).toBe("ended");
  }).toPass();
  await expect.poll(() => panelText(page)).toContain("Today’s time for conversations is used up.");
  await expect(avatar(page).getByRole("button", { name: "Copy transcript" })).toBeVisible();
  await expect(avatar(page).getByRole("button", { name: "Start again" })).toBeHidden();
});
