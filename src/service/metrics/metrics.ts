import { performance } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  sessionStatuses,
  type TerminationReason,
  terminationReasons,
} from "../../protocol/session/session.ts";
import type { LiveStatus } from "../sessions/life/session-machine.ts";

/**
 * The metrics of the process, under the usual names of Node dashboards. They are read on request and cost nothing in between.
 * prom-client's defaults would observe every garbage collection and keep a 10 ms timer.
 */
function addProcessMetrics(registers: Registry[]): void {
  /** A counter whose total is kept elsewhere. */
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const startedAtSec = Math.round(performance.timeOrigin / 1000);
  total("process_cpu_seconds_total", "CPU time of the process, without its media processes.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  total(
    "nodejs_eventloop_active_seconds_total",
    "Time in which the event loop was busy; its rate is the share of one core in use.",
    () => performance.eventLoopUtilization().active / 1000,
  );
  gauge("process_start_time_seconds", "When the process started, Unix time.", () => startedAtSec);
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauge("nodejs_heap_size_used_bytes", "Memory of JavaScript objects.", () => process.memoryUsage().heapUsed);
}

const engineKinds = ["tts", "stt", "llm"] as const;
const engineOutcomes = ["ok", "refused", "failed", "aborted"] as const;

/** Speech synthesis, speech recognition or a language model. */
export type EngineKind = (typeof engineKinds)[number];

/**
 * The outcome of an engine call: `refused` when the input cannot be spoken or read, `failed` when the engine caused the error,
 * `aborted` when nobody wanted the rest.
 */
export type EngineOutcome = (typeof engineOutcomes)[number];

const liveStatuses = sessionStatuses.filter((status): status is LiveStatus => status !== "TERMINATED");

/** A request and its response. */
interface AnsweredRequest {
  method: string;
  /** The pattern of its path. Never the path itself, because it contains ids. */
  route: string;
  status: number;
  durationSec: number;
}

/** Values that are read when the metrics are requested. */
interface MetricSources {
  /** Live sessions of the store. */
  liveSessions(): Promise<Partial<Record<LiveStatus, number>>>;
  /** Sessions with a peer in this process. */
  peerCount(): number;
}

/** The metrics of one service. No label contains a value that a caller chooses. */
export interface ServiceMetrics {
  requestAnswered(request: AnsweredRequest): void;
  sessionCreated(): void;
  /** Counts a session that a quota refused. */
  sessionRefused(reason: TerminationReason): void;
  sessionEnded(reason: TerminationReason): void;
  mediaProcessDied(): void;
  engineCalled(engine: EngineKind, outcome: EngineOutcome, durationSec: number): void;
  /** The metrics in the Prometheus text format 0.0.4. */
  exposition(): Promise<{ contentType: string; text: string }>;
}

const requestBucketsSec = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const engineBucketsSec = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

function requestRecorder(registers: Registry[]): ServiceMetrics["requestAnswered"] {
  const durations = new Histogram({
    name: "visavis_http_request_duration_seconds",
    help: "Time until the answer to a request began, by the pattern of its path.",
    labelNames: ["method", "route", "status"],
    buckets: requestBucketsSec,
    registers,
  });
  /** Looking up a histogram's child by its labels costs more than all other work here, so the children are cached. */
  const children = new Map<string, Histogram.Internal<"method" | "route" | "status">>();
  return ({ method, route, status, durationSec }) => {
    const key = `${method} ${status} ${route}`;
    let child = children.get(key);
    if (!child) children.set(key, (child = durations.labels(method, route, String(status))));
    child.observe(durationSec);
  };
}

function sessionRecorder(
  registers: Registry[],
): Pick<ServiceMetrics, "sessionCreated" | "sessionRefused" | "sessionEnded"> {
  const created = new Counter({
    name: "visavis_sessions_created_total",
    help: "Sessions that this process created.",
    registers,
  });
  const refused = new Counter({
    name: "visavis_sessions_refused_total",
    help: "Sessions that a quota left no place for, by the reason they were refused with.",
    labelNames: ["reason"],
    registers,
  });
  const ended = new Counter({
    name: "visavis_sessions_ended_total",
    help: "Sessions that this process ended, by termination reason. Each session is ended by one process.",
    labelNames: ["reason"],
    registers,
  });
  // Start at zero: if a series appears with its first event, Prometheus sees no increase.
  for (const reason of terminationReasons) ended.inc({ reason }, 0);
  return {
    sessionCreated: () => created.inc(),
    sessionRefused: (reason) => refused.inc({ reason }),
    sessionEnded: (reason) => ended.inc({ reason }),
  };
}

function engineRecorder(registers: Registry[]): ServiceMetrics["engineCalled"] {
  const durations = new Histogram({
    name: "visavis_engine_call_duration_seconds",
    help: "Time that calls of speech and language engines took, a language model's until the end of its answer.",
    labelNames: ["engine", "outcome"],
    buckets: engineBucketsSec,
    registers,
  });
  for (const engine of engineKinds) for (const outcome of engineOutcomes) durations.zero({ engine, outcome });
  return (engine, outcome, durationSec) => durations.labels(engine, outcome).observe(durationSec);
}

function addGauges(registers: Registry[], { liveSessions, peerCount }: MetricSources): void {
  new Gauge({
    name: "visavis_sessions",
    help: "Sessions in the store that have not ended, by status. Processes that share a store show the same: do not add them up.",
    labelNames: ["status"],
    registers,
    async collect() {
      // If the store does not answer, the other metrics are still served.
      const counts = await liveSessions().catch(() => null);
      this.reset();
      if (counts) for (const status of liveStatuses) this.set({ status }, counts[status] ?? 0);
    },
  });
  new Gauge({
    name: "visavis_media_peers",
    help: "Sessions whose peer connection is in this process.",
    registers,
    collect() {
      this.set(peerCount());
    },
  });
}

/** Creates the metrics of one service. Each has its own registry, because several services may run in one process. */
export function createServiceMetrics(sources: MetricSources): ServiceMetrics {
  const registry = new Registry();
  const registers = [registry];
  const deaths = new Counter({
    name: "visavis_media_process_deaths_total",
    help: "Media processes of this process that died unasked.",
    registers,
  });
  addGauges(registers, sources);
  addProcessMetrics(registers);
  return {
    requestAnswered: requestRecorder(registers),
    ...sessionRecorder(registers),
    engineCalled: engineRecorder(registers),
    mediaProcessDied: () => deaths.inc(),
    exposition: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
