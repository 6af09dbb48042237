import type { LimitUse, Problem } from "../../../protocol/console/overview.ts";
import { recognizerOf } from "../../../protocol/settings/voice-settings.ts";
import { isListed, type Engines } from "../../engines/available-catalogue.ts";
import type { Installation } from "../../installation.ts";
import { retrievalModel } from "../../store/seed/built-in-entries.ts";
import type { ContextRecord, Store } from "../../store/store.ts";
import { recordKey, type EngineRecord } from "../engines/engine-record.ts";
import { diskOf } from "../health.ts";
import { webhookName } from "../webhooks/webhooks.ts";

/** What is checked for problems. */
export interface ProblemParts {
  store: Store;
  engines: Engines;
  installation: Pick<Installation, "dataFolder" | "mediaProcesses">;
  media: { readonly readyProcesses: number };
  record: Pick<EngineRecord, "stateOf">;
}

/** Below this share or size, the disk is nearly full. */
const freeShare = 0.05;
const freeBytes = 500 * 1024 * 1024;
/** From this share on, a month's minutes are nearly used. */
const nearlyUsed = 0.9;

type Kind = "llm_type" | "tts_type" | "stt_type" | "mcp_server";

/** How an engine that an avatar names is. `sinceMs`: since when its calls fail. */
type EngineFault =
  | { fault: null }
  | { fault: "missing" }
  | { fault: "failing"; sinceMs: number | null; reason: string | null };

async function faultOf(
  { store, engines, record }: ProblemParts,
  organizationId: string,
  kind: Kind,
  name: string,
): Promise<EngineFault> {
  const row = await store.catalogue.row(kind, organizationId, name);
  if (row === null || !isListed(engines, kind, row)) return { fault: "missing" };
  const calls = record.stateOf(recordKey(kind, row.id));
  return calls?.isFailing
    ? { fault: "failing", sinceMs: calls.sinceMs, reason: calls.reason }
    : { fault: null };
}

/** What visitors notice of an engine whose calls fail. */
const failing: Readonly<Record<Kind, (avatar: string, name: string) => string>> = {
  llm_type: (avatar, name) => `${avatar} cannot answer: calls of its language model ${name} fail.`,
  tts_type: (avatar, name) =>
    `${avatar} cannot speak and answers in writing: calls of its voice ${name} fail.`,
  stt_type: (avatar, name) =>
    `${avatar} does not understand speech: calls of its recognizer ${name} fail. Visitors can type.`,
  mcp_server: (avatar, name) =>
    `${avatar} answers without some tools: calls of its tool server ${name} fail.`,
};

const missing: Readonly<Record<Kind, (avatar: string, name: string) => Pick<Problem, "detail" | "remedy">>> =
  {
    llm_type: (avatar, name) => ({
      detail: `${avatar} cannot answer: its language model ${name} is not available.`,
      remedy: "Set the key of the model, or choose another one for the avatar.",
    }),
    tts_type: (avatar, name) => ({
      detail: `${avatar} cannot speak: its voice ${name} is not available.`,
      remedy: "Install the voice or set its key, or choose another one for the avatar.",
    }),
    stt_type: (avatar, name) => ({
      detail: `${avatar} does not understand speech: its recognizer ${name} is not available. Visitors can type.`,
      remedy: "Install the recognizer, or choose another one for the avatar.",
    }),
    mcp_server: (avatar, name) => ({
      detail: `${avatar} answers without some tools: its tool server ${name} is not available.`,
      remedy: "Add the tool server again, or take it away from the avatar.",
    }),
  };

function engineProblem(found: EngineFault, kind: Kind, avatar: string, name: string): Problem | null {
  if (found.fault === null) return null;
  const common = {
    severity: kind === "stt_type" || kind === "mcp_server" ? "warning" : "error",
    page: "engines",
    target: name,
  } as const;
  if (found.fault === "missing")
    return {
      code: kind === "stt_type" ? "recognizer_missing" : "engine_unavailable",
      ...missing[kind](avatar, name),
      since: null,
      ...common,
    };
  return {
    code: "engine_failing",
    detail: failing[kind](avatar, name),
    ...(found.reason !== null && { reason: found.reason }),
    remedy: "Test it: the result says what to do.",
    since: found.sinceMs === null ? null : new Date(found.sinceMs).toISOString(),
    ...common,
  };
}

async function engineProblems(
  parts: ProblemParts,
  organizationId: string,
  contexts: readonly ContextRecord[],
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const context of contexts) {
    const named: [Kind, string | undefined][] = [
      ["llm_type", context.config.llm_type ?? retrievalModel],
      ["tts_type", context.tts_type],
      ["stt_type", recognizerOf(context.config)],
      ...(context.config.mcp_servers ?? []).map((server): [Kind, string] => ["mcp_server", server]),
    ];
    for (const [kind, name] of named) {
      if (name === undefined) continue;
      const problem = engineProblem(
        await faultOf(parts, organizationId, kind, name),
        kind,
        context.config.ui?.avatar_name ?? context.name,
        name,
      );
      if (problem) problems.push(problem);
    }
  }
  return problems;
}

async function machineProblems({ installation, media }: ProblemParts): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (installation.mediaProcesses > 0 && media.readyProcesses === 0)
    problems.push({
      code: "media_down",
      severity: "error",
      detail: "No media process runs, so avatars have neither picture nor sound. Visitors can type.",
      remedy: "Processes are restarted automatically. If this lasts, read the server's log.",
      since: null,
      page: "settings",
      target: null,
    });
  const disk = await diskOf(installation.dataFolder);
  if (disk && (disk.free_bytes < freeBytes || disk.free_bytes < disk.total_bytes * freeShare))
    problems.push({
      code: "disk_nearly_full",
      severity: "warning",
      detail: `The disk of the data folder has ${Math.round(disk.free_bytes / 1024 / 1024)} MB left.`,
      remedy: "Free some space: on a full disk nothing can be saved.",
      since: null,
      page: "settings",
      target: null,
    });
  return problems;
}

async function webhookProblems({ store }: ProblemParts, organizationId: string): Promise<Problem[]> {
  const off = (await store.webhooks.list(organizationId)).filter(({ state }) => state !== "on");
  return off.map((webhook): Problem => {
    const host = webhookName(webhook);
    const cause =
      webhook.state === "gone" ? "it answers that it wants no more" : "100 attempts in a row failed";
    return {
      code: "webhook_off",
      severity: "warning",
      detail: `The webhook to ${host} is off: ${cause}.`,
      remedy: "Test it, and turn it on again or delete it.",
      since: null,
      page: "settings",
      target: host,
    };
  });
}

function limitProblems(limits: readonly LimitUse[]): Problem[] {
  return limits.flatMap((limit): Problem[] => {
    if (limit.limit === null || limit.kind === "lines") return [];
    const isReached = limit.used >= limit.limit;
    const isNear = limit.kind === "talking_month" && limit.used >= limit.limit * nearlyUsed;
    if (!isReached && !isNear) return [];
    const period = limit.kind === "talking_month" ? "this month" : "today";
    return [
      {
        code: isReached ? "limit_reached" : "month_nearly_used",
        severity: isReached ? "error" : "warning",
        detail:
          limit.kind === "model_day"
            ? `The language model has cost ${limit.used.toFixed(2)} of ${limit.limit} ${limit.currency ?? ""} today.`
            : `${limit.used} of ${limit.limit} minutes of talking are used ${period}.`,
        remedy: "Raise the limit, or wait until it begins again.",
        since: null,
        page: limit.kind === "talking_month" ? "settings" : "avatars",
        target: null,
      },
    ];
  });
}

/** All problems, the most serious first. */
export async function findProblems(
  parts: ProblemParts,
  organizationId: string,
  limits: readonly LimitUse[],
): Promise<Problem[]> {
  const contexts = (await parts.store.contexts.list(organizationId)).filter(({ is_active }) => is_active);
  const problems = [
    ...(await engineProblems(parts, organizationId, contexts)),
    ...(await machineProblems(parts)),
    ...(await webhookProblems(parts, organizationId)),
    ...limitProblems(limits),
  ];
  const rank = (problem: Problem): number => (problem.severity === "error" ? 0 : 1);
  return problems.sort((one, other) => rank(one) - rank(other));
}
