/** The console's section with the webhooks: added, tested, read in the log, sent again, turned on again, deleted. */
import { createHmac } from "node:crypto";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/test.ts";
import {
  expectAccessible,
  expectAccessibleInEachWidth,
  expectStatus,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { converse } from "./visitor.ts";

/** A webhook hears of the questions of all avatars. */
const console_ = useConsole({ VISAVIS_ALLOW_PRIVATE_ADDRESSES: "true" });

interface Received {
  body: string;
  headers: Record<string, unknown>;
}

let receiver: HttpServer;
let address = "";
let status = 200;
const received: Received[] = [];

test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      received.push({ body, headers: request.headers });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

test.afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const header = ({ headers }: Received, name: string): string => String(headers[`webhook-${name}`]);

function signatureOf(secret: string, request: Received): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${header(request, "id")}.${header(request, "timestamp")}.${request.body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

test("an owner adds a webhook, tests it, is told of a question, reads the log, and sends again", async ({
  page,
}) => {
  await signIn(page, console_.server, "/settings/webhooks");
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
  await page.getByRole("button", { name: "New webhook" }).click();
  const form = page.getByRole("dialog", { name: "New webhook" });
  await form.getByLabel("Address").fill("ftp://hooks.example/");
  await form.getByRole("button", { name: "Add the webhook" }).click();
  await expect(form.getByRole("alert")).toContainText("Set an https address");
  await form.getByLabel("Address").fill(`http://${address}/hooks/canary-path`);
  const boxes = form.getByRole("group", { name: "When" }).getByRole("checkbox");
  const count = await boxes.count();
  for (let place = 0; place < count; place++) await boxes.nth(place).uncheck();
  await form.getByRole("button", { name: "Add the webhook" }).click();
  await expect(form.getByRole("alert")).toHaveText("Choose one at least.");
  await expectAccessible(page);
  await form.getByLabel("A question has no answer").check();
  await form.getByLabel("Send what was said").check();
  await form.getByRole("button", { name: "Add the webhook" }).click();
  const secret = await page.getByRole("textbox", { name: "The secret" }).inputValue();
  const row = page.getByRole("listitem").filter({ hasText: address });
  await expect(row).toContainText("A question has no answer, with what was said");
  await expect(row).toContainText("Nothing was sent yet.");

  await row.getByRole("button", { name: `Test ${address}` }).click();
  await expectStatus(page, "Arrived (200)");
  await expect(row).toContainText("Arrived (200)");
  const [first] = received;
  expect(JSON.parse(first!.body)).toMatchObject({ type: "webhook.test", data: {} });
  expect(header(first!, "signature")).toBe(signatureOf(secret, first!));

  await converse({ server: console_.server, context: "ctx_demo" }, ["Do you sell canary pianos in Croatia?"]);
  await expect.poll(() => received.length).toBe(2);
  expect(JSON.parse(received[1]!.body)).toMatchObject({ type: "question.unanswered" });
  await page.reload();
  await expect(page.getByRole("textbox", { name: "The secret" })).toHaveCount(0);
  await row.getByRole("button", { name: `Log ${address}` }).click();
  const log = page.getByRole("dialog", { name: "Log" });
  await expect(log.getByRole("listitem")).toHaveCount(2);
  await expect(log.getByRole("listitem").first()).toContainText("A question has no answer");
  await expectAccessibleInEachWidth(page);
  status = 410;
  await log.getByRole("button", { name: "Send again A question has no answer" }).click();
  await expect(log.getByRole("listitem").first()).toContainText("It wants no more (410)");
  expect(header(received[2]!, "id")).toBe(header(received[1]!, "id"));
  await log.getByRole("button", { name: "Close" }).click();

  await expect(row).toContainText("Off: it wants no more");
  await expectAccessibleInEachWidth(page);
  await page.goto(`${console_.server.origin}/console/#/`);
  await expect(page.getByText(`The webhook to ${address} is off`)).toBeVisible();
  await page.getByRole("link", { name: "See settings" }).click();
  status = 200;
  await row.getByRole("button", { name: `Turn on ${address}` }).click();
  await expect(row.getByText("On", { exact: true })).toBeVisible();
  await row.getByRole("button", { name: `Delete ${address}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
});
