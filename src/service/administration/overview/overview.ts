import { isDeepStrictEqual } from "node:util";
import type { DayFigures, FirstRun, LimitUse, Overview } from "../../../protocol/console/overview.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import { retrievalModel } from "../../store/seed/built-in-entries.ts";
import { demoKeys, demoOrigins } from "../../store/seed/seed.ts";
import type {
  ContextPage,
  ContextRecord,
  FiguresOfQuarter,
  ModelUseScope,
  Store,
} from "../../store/store.ts";
import type { EmbedConfig } from "../../../protocol/settings/embed-config.ts";
import type { Clock } from "../../clock.ts";
import { namedContext } from "../contexts/contexts.ts";
import { organizationUse } from "../organizations.ts";
import { findProblems, type ProblemParts } from "./problems.ts";

interface FirstRunParts {
  store: Pick<Store, "contexts" | "contextPages" | "catalogue" | "conversations">;
  publicUrl: string;
}

/**
 * The settings that shape an avatar. The server itself gives the demo avatars a recognizer, and documents are added to all avatars by
 * teaching them, which is another step.
 */
function shapeOf({ embed_config: given, ...settings }: ContextSettings): object {
  const config = isPlainObject(given) ? { ...given, stt_type: undefined, documents: undefined } : given;
  return { ...settings, config };
}

/** Whether the owner has made or changed an avatar. */
export async function isOwnAvatar(store: Pick<Store, "contexts">, context: ContextRecord): Promise<boolean> {
  if (!demoKeys.has(context.contextId)) return true;
  if (context.revision === 1) return false;
  const versions = await store.contexts.versions(context.id);
  const first = versions.find(({ revision }) => revision === 1);
  const last = versions[0];
  // Only the latest versions are kept: without the first one there were many.
  if (!first || !last) return true;
  return !isDeepStrictEqual(shapeOf(first.settings), shapeOf(last.settings));
}

/** The avatar that the owner works on: the one that was saved last of those that the owner has made, else of the demo avatars. */
async function ownAvatar(
  store: Pick<Store, "contexts">,
  contexts: readonly ContextRecord[],
): Promise<ContextRecord | null> {
  const isDemo = ({ contextId }: ContextRecord): number => (demoKeys.has(contextId) ? 1 : 0);
  const latestFirst = contexts.toSorted(
    (one, other) => isDemo(one) - isDemo(other) || other.updatedAtMs - one.updatedAtMs,
  );
  for (const context of latestFirst) if (await isOwnAvatar(store, context)) return context;
  return null;
}

/** Whether a context lists a site that the owner has named. */
const hasOwnOrigin = ({ contextId, config }: ContextRecord): boolean =>
  (config.allowed_origins ?? []).some((origin) => !demoKeys.has(contextId) || !demoOrigins.includes(origin));

/** The page of another site that showed an avatar first. */
async function firstPage(
  { store, publicUrl }: FirstRunParts,
  contexts: readonly ContextRecord[],
): Promise<{ contextUuid: string; origin: string; atMs: number } | null> {
  const own = new URL(publicUrl).origin;
  const first: { contextUuid: string; origin: string; atMs: number }[] = [];
  for (const { id } of contexts)
    for (const page of await store.contextPages.list(id))
      if (isArrival(page, own))
        first.push({ contextUuid: id, origin: page.origin, atMs: page.firstAllowedAtMs });
  return first.sort((one, other) => one.atMs - other.atMs)[0] ?? null;
}

function isArrival(page: ContextPage, own: string): page is ContextPage & { firstAllowedAtMs: number } {
  return page.firstAllowedAtMs !== null && page.origin !== own;
}

/** The steps that are left; null when a visitor of the owner's own page has talked to an avatar. */
async function firstRun(parts: FirstRunParts, organizationId: string): Promise<FirstRun | null> {
  const { store } = parts;
  const contexts = await store.contexts.list(organizationId);
  const arrived = await firstPage(parts, contexts);
  if (arrived) {
    const filter = { contextUuid: arrived.contextUuid, fromMs: arrived.atMs };
    const { items } = await store.conversations.page(organizationId, filter, { limit: 1 });
    if (items.length > 0) return null;
  }
  const documents = (await store.catalogue.rows("document", organizationId)).filter((row) => !row.isShared);
  const avatar = await ownAvatar(store, contexts);
  const shown = avatar ?? contexts[0];
  const models = contexts.map(({ config }) => config.llm_type ?? retrievalModel);
  return {
    avatar: {
      done: avatar !== null,
      context: shown?.id ?? null,
      name: shown ? (shown.config.ui?.avatar_name ?? shown.name) : null,
    },
    knowledge: { done: documents.length > 0, documents: documents.length },
    page: {
      done: arrived !== null,
      has_origin: contexts.some(hasOwnOrigin),
      arrived: arrived && { origin: arrived.origin, at: new Date(arrived.atMs).toISOString() },
    },
    has_model: models.some((model) => model !== retrievalModel),
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** A day in the server's time zone. */
interface ServerDay {
  /** `2026-11-17`. */
  date: string;
  startMs: number;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** The day that a time is in. */
function dayOf(time: Date): ServerDay {
  const start = new Date(time.getFullYear(), time.getMonth(), time.getDate());
  const date = `${start.getFullYear()}-${twoDigits(start.getMonth() + 1)}-${twoDigits(start.getDate())}`;
  return { date, startMs: start.getTime() };
}

/** The last days with today as the last one. Days are counted by date, because some have 23 or 25 hours. */
function lastDays(nowMs: number, count: number): ServerDay[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index))),
  );
}

/** When the next day begins, and the next month in UTC, in which minutes are counted. */
function nextStarts(nowMs: number): { dayMs: number; monthMs: number } {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
  return { dayMs: day, monthMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) };
}

/** The same time of the day, a week earlier. */
function weekBefore(nowMs: number): { startMs: number; endMs: number } {
  const now = new Date(nowMs);
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 7).getTime();
  return { startMs: start, endMs: nowMs - 7 * dayMs };
}

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
  const limits = await limitsOf(parts, scope, context?.config.limits, today);
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
