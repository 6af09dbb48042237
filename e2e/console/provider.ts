import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { says, type ModelAnswer } from "../support/scripted-model.ts";

/** A server of the OpenAI protocol on this machine, which asks for a key. */
export interface Provider {
  readonly address: string;
  /** How it answers from now on. */
  answer: ModelAnswer;
  close(): void;
}

/** Starts a provider with two models. */
export async function startProvider(key: string): Promise<Provider> {
  const http = createServer((request, response) => {
    request.resume();
    const isAllowed = request.headers.authorization === `Bearer ${key}`;
    if (!isAllowed) response.writeHead(401, { "content-type": "application/json" }).end("{}");
    else if (request.url?.endsWith("/models"))
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ data: [{ id: "large" }, { id: "small" }] }));
    else request.on("end", () => provider.answer(response));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const provider: Provider = {
    address: `http://127.0.0.1:${port}/v1`,
    answer: says("Good afternoon."),
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  return provider;
}
