import type {
  UnansweredGroup,
  UnansweredList,
  UnansweredState,
} from "../../../protocol/console/unanswered.ts";
import type { SettledQuestion, Store, UnansweredQuestion, UnansweredScope } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { groupQuestions } from "./question-groups.ts";

/** How many questions are grouped at once: the latest ones. */
const groupedQuestions = 3_000;

type Stores = Pick<Store, "unanswered">;

/** A group with the questions that are in it. */
export interface QuestionGroup {
  view: UnansweredGroup;
  questions: readonly UnansweredQuestion[];
}

const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** The wordings of a group, the most frequent first. */
function wordingsOf(questions: readonly UnansweredQuestion[]): { text: string; asked: number }[] {
  const counts = new Map<string, { text: string; asked: number }>();
  for (const { text } of questions) {
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    const wording = counts.get(key) ?? { text, asked: 0 };
    wording.asked += 1;
    counts.set(key, wording);
  }
  return [...counts.values()].sort((one, other) => other.asked - one.asked);
}

const causesOf = (questions: readonly UnansweredQuestion[]) => [
  ...new Set(questions.map(({ cause }) => cause)),
];

function openView(first: UnansweredQuestion, questions: readonly UnansweredQuestion[]): UnansweredGroup {
  const wordings = wordingsOf(questions);
  return {
    id: first.id,
    context: first.contextUuid,
    state: "open",
    question: wordings[0]?.text ?? first.text,
    wordings,
    asked: questions.length,
    last_asked_at: isoTime(Math.max(...questions.map(({ atMs }) => atMs))),
    causes: causesOf(questions),
    answer: null,
    document: null,
  };
}

/** A settled group in the form that the console's operations return. */
export function settledView(
  settled: SettledQuestion,
  questions: readonly UnansweredQuestion[],
): UnansweredGroup {
  const wordings = wordingsOf(questions);
  return {
    id: settled.id,
    context: settled.contextUuid,
    state: settled.state,
    question: settled.question || (wordings[0]?.text ?? ""),
    wordings,
    asked: settled.asked,
    last_asked_at: isoTime(settled.lastAskedAtMs),
    causes: causesOf(questions),
    answer: settled.answer,
    document: settled.documentId,
  };
}

/** Groups of questions that nobody has answered, and of those that are hidden: new questions of a hidden group are hidden too. */
function unsettledGroups(
  questions: readonly UnansweredQuestion[],
  hidden: ReadonlyMap<string, SettledQuestion>,
): QuestionGroup[] {
  const relevant = questions.filter(({ settledId }) => settledId === null || hidden.has(settledId));
  return groupQuestions(relevant.toReversed()).flatMap((questions) => {
    const settledId = questions.find((question) => question.settledId !== null)?.settledId ?? null;
    const settled = settledId === null ? undefined : hidden.get(settledId);
    const [first] = questions;
    if (first === undefined) return [];
    if (settled === undefined) return [{ view: openView(first, questions), questions }];
    const asked = questions.length;
    const lastAskedAtMs = Math.max(...questions.map(({ atMs }) => atMs));
    return [{ view: settledView({ ...settled, asked, lastAskedAtMs }, questions), questions }];
  });
}

/** Every group of questions, open or settled. */
async function allGroups({ unanswered }: Stores, scope: UnansweredScope): Promise<QuestionGroup[]> {
  const questions = await unanswered.list(scope, groupedQuestions);
  const settled = await unanswered.settled(scope);
  const hidden = new Map(settled.filter(({ state }) => state === "hidden").map((one) => [one.id, one]));
  const taught = settled
    .filter(({ state }) => state === "taught")
    .map((one) => {
      const own = questions.filter(({ settledId }) => settledId === one.id);
      return { view: settledView(one, own), questions: own };
    });
  return [...unsettledGroups(questions, hidden), ...taught];
}

/** The questions that had no answer, grouped by what they mean. */
export async function listUnanswered(
  store: Stores,
  scope: UnansweredScope,
  { state, order, limit }: { state: UnansweredState; order: "most" | "newest"; limit?: number | undefined },
): Promise<UnansweredList> {
  const groups = (await allGroups(store, scope)).map(({ view }) => view);
  const count = (wanted: UnansweredState) => groups.filter((group) => group.state === wanted).length;
  const newest = (one: UnansweredGroup, other: UnansweredGroup) =>
    other.last_asked_at.localeCompare(one.last_asked_at);
  return {
    groups: groups
      .filter((group) => group.state === state)
      .sort((one, other) => (order === "most" ? other.asked - one.asked : 0) || newest(one, other))
      .slice(0, limit),
    counts: { open: count("open"), taught: count("taught"), hidden: count("hidden") },
    without_words: await store.unanswered.countWithoutWords(scope),
  };
}

/** A group of an organization. Throws AdministrationError `not_found`. */
export async function namedGroup(store: Stores, organizationId: string, id: string): Promise<QuestionGroup> {
  const group = (await allGroups(store, { organizationId })).find(({ view }) => view.id === id);
  if (!group)
    throw new AdministrationError("not_found", "This question no longer exists. Load the list again.");
  return group;
}
