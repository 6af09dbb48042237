/** The server of all browser tests that need no other: starting one takes as much of the processor's time as a test. */
import { serverOf, type Server, type StartedServer } from "./stack.ts";

/** The operator's password of the servers under test. */
export const operatorPassword = "a long enough password";

/** Limits that all tests together would reach, and addresses of this machine for the models that tests run themselves. */
export const sharedEnvironment = {
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

const variable = "VISAVIS_TESTS_SERVER";

/** Tells the workers, which inherit the environment, of the server. */
export function shareServer({ origin, pid, dataFolder, logFile }: StartedServer): void {
  process.env[variable] = JSON.stringify({ origin, pid, dataFolder, logFile } satisfies StartedServer);
}

/** The server that all workers share. */
export function sharedServer(): Server {
  const started = process.env[variable];
  if (started === undefined) throw new Error("The global setup has started no server.");
  return serverOf(JSON.parse(started) as StartedServer);
}
