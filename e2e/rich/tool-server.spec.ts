/** A real tool server (MCP) shows cards to the visitor. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { calls, putEntry, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { ask, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState } from "../support/widget.ts";

const served = useSite({
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});
let model: ScriptedModel;

const title = "<b>Alder</b> chair";
const visavis = {
  cards: [{ title, price: "€480", href: "https://elsewhere.example" }],
  suggestions: ["Is it in stock?"],
};

/** Each request has a server of its own: this one keeps nothing. */
const shop = createServer((request, response) => {
  const server = new McpServer({ name: "shop", version: "1" });
  server.registerTool("find", { description: "Finds chairs", annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: "text", text: "One chair" }],
    structuredContent: { visavis },
  }));
  const transport = new StreamableHTTPServerTransport({});
  server
    .connect(transport as Parameters<McpServer["connect"]>[0])
    .then(() => transport.handleRequest(request, response))
    .catch(() => response.destroy());
});

test.beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  model = await startScriptedModel(served, { tools: true });
  await putEntry(served.server, "mcp-server", {
    name: "shop",
    url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/mcp`,
    transport_protocol: "streamable_http",
    engine: { allow_private: true },
  });
  await changeContext(served, (context) => {
    context.embed_config["mcp_servers"] = ["shop"];
    context.embed_config["ui"] = { links_allowed: ["shop.example"] };
  });
});
test.afterAll(() => {
  model.close();
  shop.closeAllConnections();
  shop.close();
});

test("cards and suggestions of a tool server's result are shown after the answer, as text", async ({
  page,
}) => {
  const [call, reply] = [calls("find"), says("Here it is.")];
  model.answer = (response) => (model.requests.length === 1 ? call : reply)(response);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await ask(page, "A green chair?");
  const card = avatar(page).getByRole("article");
  await expect(card).toContainText(title);
  await expect(card).toContainText("€480");
  await expect(card.locator("b b, a")).toHaveCount(0);
  const lines = await transcript(page);
  const asked = lines.indexOf("visitor: A green chair? (final)");
  expect(lines[asked + 1]).toBe("avatar: Here it is. (final)");
  const result = model.requests[1]?.messages.find(({ role }) => role === "tool")?.content;
  expect(result).toBe("One chair");
  model.answer = says("It is.");
  await avatar(page).getByRole("button", { name: "Is it in stock?" }).click();
  await expect.poll(() => transcript(page)).toContain("visitor: Is it in stock? (final)");
});
