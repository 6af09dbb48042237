/** The attacker, in a separate process. `begin` starts an attack; `stop` ends it and returns the results. */
import { constants, setPriority } from "node:os";
import { attacks } from "./attack-list.ts";
import { AttackerClient, type AttackTarget } from "./attacker-client.ts";

/** The messages to the attacker. */
export type AttackOrder = ({ type: "begin"; name: string } & AttackTarget) | { type: "stop" };

// A real attacker has its own machine. Here, it gets only the CPU time that the server and the visitor's browser do not use.
setPriority(constants.priority.PRIORITY_LOW);

let attacker: AttackerClient | undefined;
let stopped = false;

// A server may answer and close the connection before it has read the whole request. The socket then fails although the
// answer has arrived.
process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || error.code === "ECONNRESET") return;
  console.error(error);
  process.exit(1);
});

process.on("message", (order: AttackOrder) => {
  if (order.type === "stop") {
    stopped = true;
    process.send!(attacker?.outcomes ?? {});
    return;
  }
  attacker = new AttackerClient(order);
  void attacks[order.name]?.(attacker, () => stopped);
  process.send!({});
});
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
