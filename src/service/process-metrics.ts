import { performance } from "node:perf_hooks";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";

/**
 * The metrics of the process, under the usual names of Node dashboards. They are read on request and cost nothing in between.
 * prom-client's defaults would observe every garbage collection and keep a 10 ms timer.
 */
export function addProcessMetrics(registers: Registry[]): void {
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
