import { randomUUID } from "node:crypto";
import type { Website, WebsiteReport, WebsiteSchedule } from "../../../../protocol/console/websites.ts";
import type { Installation } from "../../../installation.ts";
import { allowEverywhere, checkOutboundAddress } from "../../../outbound-check.ts";
import type { WebsiteRecord } from "../../../store/store.ts";
import { AdministrationError } from "../../administration-error.ts";
import { namedContext } from "../../contexts/contexts.ts";
import { removeKnowledge, type KnowledgeEdit, type KnowledgeParts } from "../knowledge.ts";
import type { Store } from "../../../store/store.ts";
import { nextReadingMs } from "./next-reading.ts";
import type { WebsiteReader } from "./website-reader.ts";

/** What work on websites needs. */
export interface WebsiteParts extends KnowledgeParts {
  store: KnowledgeParts["store"] & Pick<Store, "websites">;
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
    state: record.state,
    problem: record.problem,
    report: record.report,
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
  wanted: { address: string; every: WebsiteSchedule; contexts?: readonly string[] | undefined },
): Promise<Website> {
  const { store, clock, reader, installation } = parts;
  const address = checkedAddress(wanted.address, installation.machine.allowPrivateAddresses);
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
    state: "waiting",
    problem: null,
    report: nothing,
    hasDocument: false,
    createdAtMs: nowMs,
    startedAtMs: null,
    finishedAtMs: null,
    nextAtMs: nowMs,
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

/** Changes how often a website is read. Throws AdministrationError `not_found`. */
export async function changeWebsite(
  parts: WebsiteParts,
  organizationId: string,
  id: string,
  every: WebsiteSchedule,
): Promise<Website> {
  const { store, clock } = parts;
  const { state, nextAtMs } = await named(parts, organizationId, id);
  // A reading that waits or runs is finished, and then the new schedule holds.
  const isDue = state === "waiting" || state === "reading";
  const next = isDue ? nextAtMs : nextReadingMs(every, clock.nowMs(), id);
  await store.websites.schedule(organizationId, id, { every, nextAtMs: next });
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
