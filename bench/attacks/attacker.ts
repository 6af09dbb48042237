/** The attacker, in a process of its own: begins when it is told which attack, and tells what came of it when told to stop. */
import { attacks } from "./attack-list.ts";
import { AttackerClient, type AttackTarget } from "./attacker-client.ts";

/** What the attacker is told. */
export type AttackOrder = ({ type: "begin"; name: string } & AttackTarget) | { type: "stop" };

let attacker: AttackerClient | undefined;
let stopped = false;

// A server that answers before it has read everything, and closes, breaks sockets whose request is answered already.
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
