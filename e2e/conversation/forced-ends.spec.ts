/** An end that is not the visitor's own says why. */
import { expect, test } from "../support/test.ts";
import { untilModule } from "../support/page-modules.ts";
import { useSite } from "../support/served-site.ts";
import { callApi, terminationReason } from "../support/service-api.ts";
import { openAvatar, panelText } from "../support/talk.ts";
import { avatar, sessionId, untilState } from "../support/widget.ts";

const served = useSite({ attributes: 'data-mode="text"' });

test("a session that its owner ends says so, and can be started again", async ({ page }) => {
  const cared = untilModule(page, "session-care");
  const id = await openAvatar(page, served.site.origin);
  await cared;
  await callApi(served.server, `/api/v1/session/${id}/event/create/`, {
    method: "POST",
    body: JSON.stringify({ event: "SESSION_END" }),
  });
  // The page asks whenever it is shown again.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await untilState(page, "ended");
  await expect.poll(() => panelText(page)).toContain("has ended the conversation.");
  expect(await terminationReason(served.server, id)).not.toBeNull();
  await avatar(page).getByRole("button", { name: "Start again" }).click();
  await untilState(page, "live");
  expect(await sessionId(page)).not.toBe(id);
});
