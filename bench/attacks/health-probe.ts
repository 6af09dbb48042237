/** Asks a server for its health again and again, in a separate process. `begin` starts; `stop` ends it and returns the times in ms. */
import { Agent, request } from "node:http";

/** The messages to the probe. */
export type ProbeOrder = { type: "begin"; port: number } | { type: "stop" };

const everyMs = 10;
const agent = new Agent({ keepAlive: true });
const times: number[] = [];
let isOver = false;

/** Resolves with how long the answer took. A server that does not answer takes for ever. */
function answeredAfterMs(port: number): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, agent, path: "/healthz" }, (response) => {
      const isGood = response.statusCode === 200;
      response.on("end", () => resolve(isGood ? performance.now() - startedMs : Infinity));
      response.resume();
    });
    sent.on("error", () => resolve(Infinity));
    sent.end();
  });
}

async function probe(port: number): Promise<void> {
  while (!isOver) {
    times.push(await answeredAfterMs(port));
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

process.on("message", (order: ProbeOrder) => {
  if (order.type === "stop") {
    isOver = true;
    process.send!(times.map((ms) => (Number.isFinite(ms) ? ms : 1e9)));
    return;
  }
  void probe(order.port);
  process.send!({});
});
process.on("disconnect", () => process.exit(0));
