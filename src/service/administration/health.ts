import { statfs } from "node:fs/promises";
import type { Health } from "../../protocol/console/settings.ts";
import type { Clock } from "../clock.ts";
import type { Installation } from "../installation.ts";
import type { Store } from "../store/store.ts";

/** The parts whose state is reported. */
export interface HealthParts {
  store: Store;
  clock: Clock;
  serviceUrl: string;
  installation: Installation;
  /** Media processes that are ready, and sessions with a peer in this process. */
  media: { readonly readyProcesses: number; readonly peerCount: number };
}

/** The disk of a folder; null if its size is unknown. */
export async function diskOf(folder: string): Promise<{ free_bytes: number; total_bytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

async function databaseOf({ store, installation }: HealthParts): Promise<Health["database"]> {
  const startedMs = performance.now();
  const kind = installation.database;
  try {
    await store.ping();
    return { is_working: true, kind, answer_ms: Math.round((performance.now() - startedMs) * 10) / 10 };
  } catch {
    return { is_working: false, kind, answer_ms: null };
  }
}

/** The current state of the parts of the service. */
export async function installationHealth(parts: HealthParts): Promise<Health> {
  const { clock, installation, media, serviceUrl } = parts;
  return {
    at: new Date(clock.nowMs()).toISOString(),
    server: {
      version: installation.version,
      node: installation.nodeVersion,
      started_at: new Date(installation.startedAtMs).toISOString(),
      memory_bytes: installation.memoryBytes(),
    },
    database: await databaseOf(parts),
    media: {
      running: Math.min(media.readyProcesses, installation.mediaProcesses),
      wanted: installation.mediaProcesses,
      sessions: media.peerCount,
    },
    disk: await diskOf(installation.dataFolder),
    metrics_url: `${serviceUrl}/metrics`,
  };
}
