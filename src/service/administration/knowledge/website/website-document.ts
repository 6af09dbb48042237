import type { WebsiteRecord } from "../../../store/store.ts";
import { countedDetails } from "../document-details.ts";
import { createKnowledge, indexUsers, type KnowledgeParts } from "../knowledge.ts";
import { replaceDocumentText } from "../../../sessions/documents.ts";

/** Whoever changes contexts when a website becomes a document, as versions name them. */
const by = "website";

/** What a website's document is called: its host, and its path where it is only a part of a website. */
export function websiteTitle(address: string): string {
  const { host, pathname } = new URL(address);
  const path = pathname.replace(/\/(?:sitemap[^/]*|index)\.(?:xml|html?)$/i, "").replace(/\/$/, "");
  return `${host}${path}`.slice(0, 200);
}

/** Puts what was read into the website's document. False: somebody deleted the document meanwhile. */
export async function putWebsiteText(
  parts: KnowledgeParts,
  { id, organizationId, address, contexts, hasDocument }: WebsiteRecord,
  text: string,
): Promise<boolean> {
  const details = { source: "website" as const };
  if (hasDocument) {
    const isThere = await parts.store.alone(`document ${id}`, async () =>
      replaceDocumentText(parts, organizationId, id, { text, details: await countedDetails(text, details) }),
    );
    void indexUsers(parts, organizationId, id);
    return isThere;
  }
  const present = new Set((await parts.store.contexts.list(organizationId)).map((context) => context.id));
  await createKnowledge(
    parts,
    { organizationId, by },
    {
      id,
      title: websiteTitle(address),
      text,
      contexts: contexts.filter((context) => present.has(context)),
      details,
    },
  );
  return true;
}
