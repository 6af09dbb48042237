/** The webhooks of an owner: added, tested, read in the log, sent again, turned on again, deleted. */
import { expect, onTestFinished, test } from "vitest";
import { runConsole } from "../../service/http/console/console-fixture.ts";
import { askForEvents, newConversation } from "../../service/http/console/visitor.ts";
import { receiveWebhooks } from "../../service/http/console/webhook-receiver.ts";
import { all, field, find, holding, press, read, textOf, toast, within, write } from "../finding.ts";
import { openConsole } from "../stand.ts";

test("an owner adds a webhook, tests it, is told of a question, reads the log, and sends again", async () => {
  const run = await runConsole();
  onTestFinished(() => run.service.stop());
  const receiver = await receiveWebhooks();
  const host = new URL(receiver.origin).host;
  const stand = await openConsole("/settings/webhooks", { run });
  await read("No webhooks yet.");
  await press("New webhook");
  const form = within("dialog", "New webhook");
  await write("Address", "ftp://hooks.example/", form);
  await press("Add the webhook", form);
  await read("Set an https address", within("alert", /^/, form));
  await write("Address", `${receiver.origin}/hooks/path`, form);
  for (const box of all("checkbox", /^/, within("group", "When", form))) box.click();
  await press("Add the webhook", form);
  await read("Choose one at least.", within("alert", /^/, form));
  await press("A question has no answer", form);
  await press("Send what was said", form);
  await press("Add the webhook", form);
  receiver.secret = (await field("The secret")).value;
  const row = holding("listitem", host);
  await read("A question has no answer, with what was said", row);
  await read("Nothing was sent yet.", row);

  await press(`Test ${host}`);
  await toast("Arrived (204)");
  await read("Arrived (204)", row);
  expect(receiver.received).toMatchObject([{ type: "webhook.test", data: {} }]);
  expect(receiver.unsigned).toBe(0);

  await askForEvents(run, await newConversation(run), "Do you sell canary pianos in Croatia?");
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]).toMatchObject({ type: "question.unanswered" });
  stand.reload();
  await press(`Log ${host}`);
  expect(find("textbox", "The secret")).toBeUndefined();
  const log = within("dialog", "Log");
  await read("A question has no answer", log);
  const entries = () => all("listitem", /^/, log).map(textOf);
  expect(entries()).toHaveLength(2);
  receiver.answer = (_request, response) => response.writeHead(410).end();
  await press(/Send again A question has no answer/, log);
  await expect.poll(() => entries()[0]).toContain("It wants no more (410)");
  expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id);
  await press("Close", log);

  await read("Off: it wants no more", row);
  stand.go("/");
  await read(`The webhook to ${host} is off`);
  await press("See settings");
  receiver.answer = (_request, response) => response.writeHead(204).end();
  await press(`Turn on ${host}`);
  await read(/(?:^| )On(?: |$)/, row);
  await press(`Delete ${host}`);
  await press("Delete", within("dialog"));
  await read("No webhooks yet.");
});
