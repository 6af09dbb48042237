import { randomUUID } from "node:crypto";
import type {
  Website,
  WebsitePaths,
  WebsiteReport,
  WebsiteSchedule,
} from "../../../../protocol/console/websites.ts";
import type { Installation } from "../../../installation.ts";
import { allowEverywhere, checkOutboundAddress } from "../../../outbound/outbound-address.ts";
import type { Store, WebsiteRecord } from "../../../store/store.ts";
import { AdministrationError } from "../../administration-error.ts";
import { runsService } from "../../organizations.ts";
import { namedContext } from "../../contexts/contexts.ts";
import { type KnowledgeEdit, type KnowledgeParts, removeKnowledge } from "../knowledge.ts";
import { nextReadingMs } from "./next-reading.ts";
import { readDocument, replaceDocumentText } from "../../../sessions/documents.ts";
import { countedDetails } from "../document-details.ts";
import type { WebsiteReader } from "./website-reader.ts";

/** What work on websites needs. */
export interface WebsiteParts extends KnowledgeParts {
  store: KnowledgeParts["store"] & Pick<Store, "websites" | "organizations">;
  reader: Pick<WebsiteReader, "wake">;
  /** Says whether http and private networks are allowed. */
  installation: Pick<Installation, "machine">;
}

/** The most websites of an organization. */
const maxWebsites = 20;

const nothing: WebsiteReport = { pages: [], reading: null, waiting: 0, beyond: 0 };

const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

function view(record: WebsiteRecord): Website {
  return {
    id: record.id,
    address: record.address,
    every: record.every,
    ...record.paths,
    state: record.state,
    problem: record.problem,
    report: {
      ...record.report,
      pages: record.report.pages.map(({ characters: _ours, ...page }) => page),
    },
    has_document: record.hasDocument,
    started_at: isoTime(record.startedAtMs),
    finished_at: isoTime(record.finishedAtMs),
    next_at: isoTime(record.nextAtMs),
    created_at: new Date(record.createdAtMs).toISOString(),
  };
}

async function named({ store }: WebsiteParts, organizationId: string, id: string): Promise<WebsiteRecord> {
  const found = await store.websites.find(organizationId, id);
  if (found === null) throw new AdministrationError("not_found", `There is no website "${id}".`);
  return found;
}

/** The address that somebody typed, with https where the scheme is missing. Throws a Fault of the field `address`. */
function checkedAddress(typed: string, isTrusted: boolean): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  checkOutboundAddress({ field: "address", address, isTrusted, remedy: allowEverywhere });
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

/** The websites whose documents are there, or are not made yet. */
async function present({ store }: WebsiteParts, organizationId: string): Promise<WebsiteRecord[]> {
  const documents = new Set((await store.catalogue.rows("document", organizationId)).map(({ id }) => id));
  const websites = await store.websites.list(organizationId);
  return websites.filter(({ id, hasDocument }) => !hasDocument || documents.has(id));
}

/** The websites of an organization, in the order in which they were added. Those with a deleted document are left out. */
export async function listWebsites(parts: WebsiteParts, organizationId: string): Promise<Website[]> {
  return (await present(parts, organizationId)).map(view);
}

/** Adds a website, which is read at once. Throws AdministrationError `not_found` and `document_refused`, and a Fault. */
export async function addWebsite(
  parts: WebsiteParts,
  { organizationId }: KnowledgeEdit,
  wanted: WebsitePaths & {
    address: string;
    every: WebsiteSchedule;
    contexts?: readonly string[] | undefined;
  },
): Promise<Website> {
  const { store, clock, reader, installation } = parts;
  const isTrusted = installation.machine.allowPrivateAddresses && (await runsService(store, organizationId));
  const address = checkedAddress(wanted.address, isTrusted);
  const contexts: string[] = [];
  for (const context of wanted.contexts ?? [])
    contexts.push((await namedContext(store, organizationId, context)).id);
  const others = await present(parts, organizationId);
  const refuse = (message: string): never => {
    throw new AdministrationError("document_refused", message, { field: "address" });
  };
  if (others.some((one) => one.address === address))
    refuse("This website is in the list already. Read it again there.");
  if (others.length >= maxWebsites) refuse(`At most ${maxWebsites} websites can be read. Delete one first.`);
  const nowMs = clock.nowMs();
  const record: WebsiteRecord = {
    id: randomUUID(),
    organizationId,
    address,
    every: wanted.every,
    contexts,
    paths: { include: wanted.include, exclude: wanted.exclude },
    state: "waiting",
    problem: null,
    report: nothing,
    hasDocument: false,
    createdAtMs: nowMs,
    startedAtMs: null,
    finishedAtMs: null,
    nextAtMs: nowMs,
    attempts: 0,
  };
  await store.websites.insert(record);
  reader.wake();
  return view(record);
}

/** Reads a website again, now; one that is being read goes on. Throws AdministrationError `not_found`. */
export async function readAgain(parts: WebsiteParts, organizationId: string, id: string): Promise<Website> {
  const { store, clock, reader } = parts;
  await named(parts, organizationId, id);
  if (await store.websites.order(organizationId, id, clock.nowMs())) reader.wake();
  return view(await named(parts, organizationId, id));
}

/** Stops the reading of a website; what was read before stays. Throws AdministrationError `not_found`. */
export async function stopReading(parts: WebsiteParts, organizationId: string, id: string): Promise<Website> {
  const { store, clock } = parts;
  const { every } = await named(parts, organizationId, id);
  await store.websites.stop(organizationId, id, nextReadingMs(every, clock.nowMs(), id));
  return view(await named(parts, organizationId, id));
}

/** What can be changed about a website. */
interface WebsiteChange {
  every: WebsiteSchedule;
  include?: string[] | undefined;
  exclude?: string[] | undefined;
}

/** Changes how often a website is read, and which of its pages; with others, it is read again. Throws AdministrationError `not_found`. */
export async function changeWebsite(
  parts: WebsiteParts,
  organizationId: string,
  id: string,
  { every, ...change }: WebsiteChange,
): Promise<Website> {
  const { store, clock, reader } = parts;
  const { state, nextAtMs, paths } = await named(parts, organizationId, id);
  // A reading that waits or runs is finished, and then the new schedule holds.
  const isDue = state === "waiting" || state === "reading";
  const next = isDue ? nextAtMs : nextReadingMs(every, clock.nowMs(), id);
  const wanted = { include: change.include ?? paths.include, exclude: change.exclude ?? paths.exclude };
  await store.websites.schedule(organizationId, id, { every, nextAtMs: next, paths: wanted });
  const isSame = JSON.stringify(wanted) === JSON.stringify(paths);
  if (!isSame && (await store.websites.order(organizationId, id, clock.nowMs()))) reader.wake();
  return view(await named(parts, organizationId, id));
}

/** The document without the text of a page; null if the report does not say where that is. */
function textWithout(text: string, { pages }: WebsiteRecord["report"], path: string): string | null {
  const lengths = pages.map(({ characters = 0 }) => characters);
  const read = pages
    .map((page, at) => ({ path: page.path, length: lengths[at] ?? 0 }))
    .filter(({ length }) => length > 0);
  const between = "\n\n".length;
  const whole = read.reduce((sum, { length }) => sum + length, between * (read.length - 1));
  const place = read.findIndex((page) => page.path === path);
  if (whole !== text.length || place === -1 || read.length === 1) return null;
  const from = read.slice(0, place).reduce((sum, { length }) => sum + length + between, 0);
  const to = from + (read[place]?.length ?? 0);
  return place === read.length - 1
    ? text.slice(0, from - between)
    : text.slice(0, from) + text.slice(to + between);
}

/**
 * Leaves out a page that was read, now and whenever the website is read again. Throws AdministrationError `not_found`, and
 * `document_refused` while the website is read.
 */
export async function leaveOutPage(
  parts: WebsiteParts,
  organizationId: string,
  id: string,
  path: string,
): Promise<Website> {
  const { store } = parts;
  const { paths, report } = await named(parts, organizationId, id);
  if (!report.pages.some((page) => page.path === path && page.left_out === null))
    throw new AdministrationError("not_found", `There is no page "${path}" in the document.`);
  const pages = report.pages.map((page) =>
    page.path === path ? { ...page, left_out: "excluded" as const, passages: 0, characters: 0 } : page,
  );
  const exclude = [...paths.exclude, `${path}$`];
  const left = { paths: { ...paths, exclude }, report: { ...report, pages } };
  const text = (await readDocument(parts, organizationId, id))?.text ?? "";
  if (!(await store.websites.leaveOut(organizationId, id, left)))
    throw new AdministrationError(
      "document_refused",
      "The website is being read; wait until it is finished.",
      {
        field: "path",
      },
    );
  const rest = textWithout(text, report, path);
  if (rest === null) return readAgain(parts, organizationId, id);
  await store.alone(`document ${id}`, async () =>
    replaceDocumentText(parts, organizationId, id, {
      text: rest,
      details: await countedDetails(rest, { source: "website" }),
    }),
  );
  return view(await named(parts, organizationId, id));
}

/**
 * Deletes a website with its document, which can be restored for 30 s with its website. Throws AdministrationError `not_found`.
 */
export async function removeWebsite(parts: WebsiteParts, edit: KnowledgeEdit, id: string): Promise<void> {
  const { store } = parts;
  const { organizationId } = edit;
  const { hasDocument } = await named(parts, organizationId, id);
  await store.websites.stop(organizationId, id, null);
  if (hasDocument) await removeKnowledge(parts, edit, id);
  else await store.websites.remove(id);
}
