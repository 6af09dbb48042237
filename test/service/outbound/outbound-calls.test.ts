import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { serve as serveLocally } from "../../local-server.ts";

/** A server on this machine. Resolves with its port, and the paths that were asked for. */
async function serve(handle: RequestListener) {
  const asked: (string | undefined)[] = [];
  const port = await serveLocally((request, response) => {
    asked.push(request.url);
    handle(request, response);
  });
  return { port, asked };
}

const operator = { isOperators: true };
const other = { isOperators: false };
const kinds = ["engine", "address", "webhook"] as const;
/** A name that leads to this machine, as an owner's name server may say. */
const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);

describe("an address of the operator", () => {
  test("may be in a private network if it is an engine's, or if that is allowed", async () => {
    const { port } = await serve((_request, response) => response.end("here"));
    const url = `http://engine.example:${port}/`;
    const text = async (allowPrivate: boolean, kind: (typeof kinds)[number]) =>
      (await createOutboundCalls({ allowPrivate, resolve })[kind](operator)(url)).text();
    expect(await text(false, "engine")).toBe("here");
    expect(await text(true, "address")).toBe("here");
    expect(await text(true, "webhook")).toBe("here");
    await expect(text(false, "address")).rejects.toMatchObject({ code: "insecure_url" });
    await expect(text(false, "webhook")).rejects.toMatchObject({ code: "insecure_url" });
  });

  test.each(["engine", "webhook"] as const)(
    "is never redirected (%s), and never that of a cloud's metadata",
    async (kind) => {
      const { port, asked } = await serve((_request, response) =>
        response.writeHead(307, { location: "/other" }).end(),
      );
      const call = createOutboundCalls({ allowPrivate: true })[kind](operator);
      await expect(call(`http://127.0.0.1:${port}/v1`)).rejects.toMatchObject({ code: "too_many_redirects" });
      expect(asked).toEqual(["/v1"]);
      await expect(call("http://169.254.169.254/")).rejects.toMatchObject({ code: "forbidden_address" });
    },
  );
});

describe.each(kinds)("an address of another organization (%s)", (kind) => {
  test("is not called where its name leads into a private network, whatever is allowed", async () => {
    const { port, asked } = await serve((_request, response) => response.end("here"));
    const call = createOutboundCalls({ allowPrivate: true, resolve })[kind](other);
    for (const [address, code] of [
      ["https://engine.example", "forbidden_address"],
      ["https://127.0.0.1", "forbidden_address"],
      ["http://engine.example", "insecure_url"],
    ])
      await expect(call(`${address}:${port}/`)).rejects.toMatchObject({ code });
    expect(asked).toEqual([]);
  });
});
