import type { DayFigures, LimitUse, Overview } from "../../../protocol/console/overview.ts";
import type { EmbedConfig } from "../../../protocol/embed-config.ts";
import type { Clock } from "../../clock.ts";
import type { FiguresOfQuarter, ModelUseScope, Store } from "../../store/store.ts";
import { namedContext } from "../contexts/contexts.ts";
import { organizationUse } from "../organizations.ts";
import { firstRun } from "./first-run.ts";
import { findProblems } from "./problems.ts";
import type { ProblemParts } from "./problems.ts";
import { lastDays, nextStarts, weekBefore, type ServerDay } from "./server-days.ts";

/** The data that the overview uses. */
export interface OverviewParts extends ProblemParts {
  store: Store;
  clock: Clock;
  publicUrl: string;
}

const shownDays = 30;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The quarters of an hour of each day, added up. */
function figuresOfDays(days: readonly ServerDay[], quarters: readonly FiguresOfQuarter[]): DayFigures[] {
  return days.map(({ date, startMs }, index) => {
    const endMs = days[index + 1]?.startMs ?? Infinity;
    const own = quarters.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
    return {
      date,
      conversations: sum(own.map((one) => one.conversations)),
      with_unanswered: sum(own.map((one) => one.withUnanswered)),
      questions: sum(own.map((one) => one.questions)),
      unanswered: sum(own.map((one) => one.unanswered)),
      talking_sec: sum(own.map((one) => one.talkingSec)),
    };
  });
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

const micros = 1_000_000;

/** What language models have used today: their cost where they have prices, else tokens. Costs in several currencies stand apart. */
async function modelUse(
  { store, clock }: OverviewParts,
  scope: ModelUseScope,
  costPerDay: number | null,
): Promise<LimitUse[]> {
  const nowMs = clock.nowMs();
  const [today] = lastDays(nowMs, 1);
  const uses = await store.modelUse.since(scope, today?.startMs ?? nowMs);
  const resets_at = new Date(nextStarts(nowMs).dayMs).toISOString();
  const common = { kind: "model_day" as const, resets_at };
  const currencies = [...new Set(uses.map(({ currency }) => currency))].filter((currency) => currency !== "");
  const money = currencies.map((currency) => {
    const own = uses.filter((use) => use.currency === currency);
    const used = sum(own.map(({ costMicros }) => costMicros)) / micros;
    return { ...common, used, limit: costPerDay, unit: "money" as const, currency };
  });
  if (money.length > 0) return money;
  const used = sum(uses.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
  return [{ ...common, used, limit: null, unit: "tokens", currency: null }];
}

async function limitsOf(
  parts: OverviewParts,
  scope: ModelUseScope,
  own: EmbedConfig["limits"],
  today: DayFigures,
): Promise<LimitUse[]> {
  const { store, clock } = parts;
  const { organizationId } = scope;
  const nowMs = clock.nowMs();
  const next = nextStarts(nowMs);
  const { quotas, used } = await organizationUse(store, { id: organizationId, name: "" }, nowMs);
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  return [
    {
      kind: "talking_day",
      used: Math.round(today.talking_sec / 60),
      limit: own?.minutes_per_day ?? null,
      unit: "minutes",
      currency: null,
      resets_at: iso(next.dayMs),
    },
    {
      kind: "lines",
      used: used.activeSessions,
      limit: quotas?.activeSessions ?? null,
      unit: "lines",
      currency: null,
      resets_at: null,
    },
    ...(await modelUse(parts, scope, own?.model_cost_per_day || null)),
    {
      kind: "talking_month",
      used: used.minutes,
      limit: quotas?.minutesPerMonth ?? null,
      unit: "minutes",
      currency: null,
      resets_at: iso(next.monthMs),
    },
  ];
}

/** The figures of the last days, the limits, and the problems. Throws AdministrationError `not_found`. */
export async function overviewOf(
  parts: OverviewParts,
  organizationId: string,
  contextUuid: string | undefined,
): Promise<Overview> {
  const { store, clock } = parts;
  const nowMs = clock.nowMs();
  const context = contextUuid === undefined ? null : await namedContext(store, organizationId, contextUuid);
  const scope = { organizationId, contextUuid: context?.id };
  const days = lastDays(nowMs, shownDays);
  const quarters = await store.conversations.figures(scope, days[0]?.startMs ?? nowMs);
  const figures = figuresOfDays(days, quarters);
  const today = figures.at(-1) ?? figuresOfDays([{ date: "", startMs: nowMs }], [])[0];
  if (!today) throw new TypeError("There is no day.");
  const week = weekBefore(nowMs);
  const times = await store.conversations.connectionTimes(scope, days.at(-1)?.startMs ?? nowMs);
  const limits = await limitsOf(parts, scope, context?.embed_config.limits, today);
  return {
    at: new Date(nowMs).toISOString(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    first_run: await firstRun(parts, organizationId),
    today,
    week_ago: sum(
      quarters
        .filter(({ atMs }) => atMs >= week.startMs && atMs < week.endMs)
        .map((one) => one.conversations),
    ),
    first_picture_ms: median(times),
    days: figures,
    limits,
    problems: await findProblems(parts, organizationId, limits),
  };
}
