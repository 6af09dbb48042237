import { describe, expect, test } from "vitest";
import type { ViewerCommand } from "../../src/protocol/page/viewer-message.ts";
import { ParentChannel } from "../../src/viewer/parent-channel.ts";

const shop = "https://shop.example";
const evil = "https://evil.example";

function channelTo(parentOrigin: string | null) {
  const posted: [unknown, string][] = [];
  const commands: ViewerCommand[] = [];
  const asked: string[] = [];
  const parent = {
    postMessage: (event: unknown, origin: string) => void posted.push([event, origin]),
  } as Window;
  const channel = new ParentChannel({
    parent,
    parentOrigin,
    confirm: (origin) => {
      asked.push(origin);
      return Promise.resolve(origin === shop);
    },
    run: (command) => void commands.push(command),
  });
  return { channel, parent, posted, commands, asked };
}

const start = { target: "visavis", command: "start" };

describe("events", () => {
  test("wait until the relay has confirmed the parent, then go only to its origin", async () => {
    const { channel, posted } = channelTo(shop);
    channel.post("visavis-open", null);
    expect(posted).toEqual([]);
    await Promise.resolve();
    await Promise.resolve();
    channel.post("visavis-close", null);
    expect(posted).toEqual([
      [{ source: "visavis", type: "visavis-open", detail: null }, shop],
      [{ source: "visavis", type: "visavis-close", detail: null }, shop],
    ]);
  });

  test("are never posted to a parent that the relay refuses", async () => {
    const { channel, parent, posted, commands } = channelTo(evil);
    channel.post("visavis-open", null);
    await channel.receive({ source: parent, origin: evil, data: start });
    expect([posted, commands]).toEqual([[], []]);
  });
});

describe("commands", () => {
  test("of a parent that is known only from its message are accepted once it is confirmed", async () => {
    const { channel, parent, posted, commands } = channelTo(null);
    channel.post("visavis-open", null);
    await channel.receive({ source: parent, origin: shop, data: start });
    expect(commands).toEqual([{ target: "visavis", command: "start", args: [] }]);
    expect(posted).toHaveLength(1);
  });

  test("from another window or origin, or of another form, are ignored", async () => {
    const { channel, parent, commands } = channelTo(shop);
    await channel.receive({ source: {} as Window, origin: shop, data: start });
    await channel.receive({ source: parent, origin: evil, data: start });
    await channel.receive({
      source: parent,
      origin: shop,
      data: { target: "visavis", command: "registerTool" },
    });
    await channel.receive({ source: parent, origin: shop, data: "start" });
    expect(commands).toEqual([]);
  });

  test("ask the relay once for each origin", async () => {
    const { channel, parent, asked } = channelTo(null);
    for (const origin of [evil, evil, shop, shop])
      await channel.receive({ source: parent, origin, data: start });
    expect(asked).toEqual([evil, shop]);
  });
});
