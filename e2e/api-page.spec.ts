import { expect, test } from "./support/test.ts";
import { useServer } from "./support/served-site.ts";

const served = useServer();

test("the API page shows the operations, loads everything from its server and violates no policy of its own", async ({
  page,
}) => {
  const requested: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => void requested.push(request.url()));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) refused.push(message.text());
  });
  await page.goto(`${served.server.origin}/api/`);
  const viewer = page.locator("openapi-explorer");
  // The viewer is large, and a busy machine takes its time with it.
  await expect(viewer.getByText("Create a session", { exact: true }).first()).toBeVisible();
  await viewer.getByText("Create an embed context", { exact: true }).first().click();
  await expect(viewer.getByText("/api/console/b2c/contexts/").first()).toBeVisible();
  expect(refused).toEqual([]);
  expect(
    requested.filter((url) => !url.startsWith(`${served.server.origin}/`) && !url.startsWith("data:")),
  ).toEqual([]);
});
