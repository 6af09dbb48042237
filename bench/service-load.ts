/** An open-loop load generator in a separate process: requests are sent when they are due, even if earlier ones still wait. */
import { Agent, request } from "node:http";

/** Requests of one kind at a constant rate. */
export interface Stream {
  name: string;
  method: "GET" | "POST";
  /** Used in turn, again and again. */
  paths: string[];
  headers: Record<string, string>;
  body: string | null;
  perSec: number;
}

/** The load to send. */
export interface LoadOrder {
  port: number;
  /** Duration of the load before the measurement. */
  warmUpSec: number;
  measuredSec: number;
  streams: Stream[];
}

/** The results of one stream: latencies in ms from the time when each request was due. */
export interface StreamOutcome {
  name: string;
  latenciesMs: number[];
  failures: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 128, scheduling: "fifo" });

function send(port: number, stream: Stream, index: number): Promise<boolean> {
  const { method, paths, headers, body } = stream;
  return new Promise((resolve) => {
    const sent = request(
      { port, host: "127.0.0.1", agent, method, path: paths[index % paths.length]!, headers },
      (response) => {
        response.on("end", () => resolve(Math.floor(response.statusCode! / 100) === 2));
        response.on("error", () => resolve(false));
        response.resume();
      },
    );
    sent.on("error", () => resolve(false));
    sent.end(body ?? undefined);
  });
}

/** Sends one stream at its rate until the end. */
async function run(order: LoadOrder, stream: Stream, startMs: number): Promise<StreamOutcome> {
  const outcome: StreamOutcome = { name: stream.name, latenciesMs: [], failures: 0 };
  const measuredFromMs = startMs + order.warmUpSec * 1000;
  const endMs = measuredFromMs + order.measuredSec * 1000;
  const open = new Set<Promise<void>>();
  for (let index = 0; ; index++) {
    const dueMs = startMs + (index * 1000) / stream.perSec;
    if (dueMs >= endMs) break;
    while (performance.now() < dueMs) await new Promise((resolve) => setTimeout(resolve, 1));
    const sending = send(order.port, stream, index).then((isGood) => {
      open.delete(sending);
      if (!isGood) outcome.failures += 1;
      if (dueMs >= measuredFromMs) outcome.latenciesMs.push(performance.now() - dueMs);
    });
    open.add(sending);
  }
  await Promise.all(open);
  return outcome;
}

process.on("message", (order: LoadOrder) => {
  const startMs = performance.now() + 100;
  void Promise.all(order.streams.map((stream) => run(order, stream, startMs))).then((outcomes) =>
    process.send!(outcomes),
  );
});
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
