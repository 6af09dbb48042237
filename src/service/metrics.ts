import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { sessionStatuses, terminationReasons } from "../protocol/session.ts";
import type { TerminationReason } from "../protocol/session.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import type { LiveStatus } from "./sessions/session-machine.ts";

const engineKinds = ["tts", "stt", "llm"] as const;
const engineOutcomes = ["ok", "refused", "failed", "aborted"] as const;

/** Speech synthesis, speech recognition or a language model. */
export type EngineKind = (typeof engineKinds)[number];

/**
 * How a call of an engine ended: `refused` where what it was given cannot be spoken or read, `failed` where the engine is to
 * blame, `aborted` where nobody wanted the rest.
 */
export type EngineOutcome = (typeof engineOutcomes)[number];

const liveStatuses = sessionStatuses.filter((status): status is LiveStatus => status !== "TERMINATED");

/** A request as it was answered. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of its path: never the path itself, which holds ids. */
  route: string;
  status: number;
  durationSec: number;
}

/** What is asked at the moment the figures are read. */
export interface MetricSources {
  /** Live sessions of the store. */
  liveSessions(): Promise<Partial<Record<LiveStatus, number>>>;
  /** Sessions with a peer in this process. */
  peerCount(): number;
}

/** The figures of one service. No label holds what a caller chooses. */
export interface ServiceMetrics {
  requestAnswered(request: AnsweredRequest): void;
  sessionCreated(): void;
  /** A quota left no place for a session. */
  sessionRefused(reason: TerminationReason): void;
  sessionEnded(reason: TerminationReason): void;
  mediaProcessDied(): void;
  engineCalled(engine: EngineKind, outcome: EngineOutcome, durationSec: number): void;
  /** The figures as Prometheus reads them (text format 0.0.4). */
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
  /** Finding a histogram's child by its labels costs more than everything else that is done here. */
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
  // Zeros from the beginning: what appears with its first one shows no rise to Prometheus.
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
      // Where the store does not answer, the other figures still do.
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

/** Figures of one service, in a registry of its own: several services may run in one process. */
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
