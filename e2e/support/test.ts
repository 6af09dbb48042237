import { test as base } from "@playwright/test";
import { startServer, type Server } from "./stack.ts";

export * from "@playwright/test";

/** What a worker's tests share. */
interface Shared {
  /** A server of `visavis start`. Tests make contexts of their own on it, and leave the demo contexts as they are. */
  sharedServer: Server;
}

/** The operator's password of the servers under test. */
export const operatorPassword = "a long enough password";

/** Limits that a worker's tests together would reach, and addresses of this machine for the models that tests run themselves. */
const sharedEnvironment = {
  VISAVIS_PASSWORD: operatorPassword,
  VISAVIS_LOGINS_PER_MINUTE: "100000",
  VISAVIS_ALLOW_PRIVATE_ADDRESSES: "1",
  VISAVIS_ADDRESS_READS_PER_MINUTE: "100000",
  VISAVIS_ADDRESS_WRITES_PER_MINUTE: "100000",
  VISAVIS_REFUSALS_PER_ADDRESS: "100000",
  VISAVIS_RELAY_READS_PER_ADDRESS: "100000",
  VISAVIS_RELAY_STARTS_PER_ADDRESS: "10000",
  VISAVIS_RELAY_STARTS_PER_CONTEXT: "10000",
  VISAVIS_RELAY_LIVE_PER_ADDRESS: "1000",
};

/** Playwright's `test`, with one server for all tests of a worker: starting one takes as much of the processor as a test. */
export const test = base.extend<object, Shared>({
  sharedServer: [
    async ({}, use) => {
      const server = await startServer("start", sharedEnvironment);
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});
