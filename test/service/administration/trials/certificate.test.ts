import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { faultLog } from "../../../../src/service/administration/trials/entry-trial.ts";
import { attempt } from "../../../../src/service/administration/trials/engine-trials.ts";
import { tryModel } from "../../../../src/service/administration/trials/model-trial.ts";
import { succeeded } from "../../../../src/service/administration/trials/trial.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { hasOpenssl, selfSigned } from "../../outbound/self-signed.ts";

const outbound = createOutboundCalls({ allowPrivate: true });

/** A server whose certificate nobody has signed. */
async function untrustedServer(): Promise<string> {
  const server = createServer(selfSigned(), (_request, response) => response.end("data: [DONE]\n\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe.skipIf(!hasOpenssl())("a certificate that is not valid [needs openssl]", () => {
  it("is named as the reason when a language model is tried", async () => {
    const { log, lastFault } = faultLog();
    const models = createLanguageModels({ log, outbound });
    onTestFinished(() => models.close());
    const model = models.model({
      ...{ id: "a", name: "a", isOperators: true, body: { name: "a", service: "onpremise" } },
      engine: { base_url: await untrustedServer(), model: "m1" },
    });
    const { outcome, remedy } = await tryModel(model, lastFault);
    expect([outcome, remedy]).toEqual(["failed", expect.stringMatching(/^The certificate .* self-signed/)]);
  });

  it("is named as the reason when any other engine is called", async () => {
    const url = await untrustedServer();
    const call = outbound.engine({ isOperators: true });
    const { detail, remedy } = await attempt(async (signal) => {
      await call(url, { signal });
      return succeeded("");
    });
    expect(detail).toMatch(/self-signed certificate/i);
    expect(remedy).toMatch(/^The certificate /);
  });
});
