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
  // The viewer takes long with all of them. What the document says is tested in test/service/http/openapi.
  await page.route("**/openapi.json", async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { paths: object };
    const shown = ["/api/v1/session/", "/api/console/b2c/contexts/"];
    const paths = Object.entries(document.paths).filter(([path]) => shown.includes(path));
    await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(paths) } });
  });
  await page.goto(`${served.server.origin}/api/`);
  const viewer = page.locator("openapi-explorer");
  await expect(viewer.getByText("Create a session", { exact: true }).first()).toBeVisible();
  await viewer.getByText("Create an embed context", { exact: true }).first().click();
  await expect(viewer.getByText("/api/console/b2c/contexts/").first()).toBeVisible();
  expect(refused).toEqual([]);
  expect(
    requested.filter((url) => !url.startsWith(`${served.server.origin}/`) && !url.startsWith("data:")),
  ).toEqual([]);
});
