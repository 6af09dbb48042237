import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { IceServer } from "../../protocol/session/ice.ts";

const verdictsSchema = z.array(z.boolean());

/** The process ends at most this long after it started, in ms. */
const processMs = 15_000;

/** Says for each server whether it relays. Each server has one URL. Rejects when the process fails. */
export type TurnProbe = (servers: readonly IceServer[]) => Promise<boolean[]>;

/** Probes TURN servers in a process of its own, because the WebRTC library may crash. `processUrl` is its built script. */
export function createTurnProbe(processUrl: URL): TurnProbe {
  return (servers) =>
    new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(processUrl), { stdio: "ignore" });
      const limit = setTimeout(() => child.kill("SIGKILL"), processMs);
      child.once("message", (message) => {
        const parsed = verdictsSchema.safeParse(message);
        if (parsed.success) resolve(parsed.data);
      });
      child.once("error", reject);
      child.once("exit", () => {
        clearTimeout(limit);
        reject(new Error("The process that probes TURN servers ended without an answer."));
      });
      child.send(servers);
    });
}
