import {
  type CheckedSuggestions,
  checkedSuggestionsSchema,
  knowledgeAnswerSchema,
  knowledgeDetailSchema,
  knowledgeListSchema,
  knowledgeSchema,
  type Knowledge,
  type KnowledgeAnswer,
  type KnowledgeDetail,
} from "../../protocol/console/knowledge.ts";
import {
  websiteListSchema,
  websiteSchema,
  type Website,
  type WebsitePaths,
  type WebsiteSchedule,
} from "../../protocol/console/websites.ts";
import type { ApiClient } from "../api/api-client.ts";

const documentsPath = "/api/console/knowledge/";
const websitesPath = "/api/console/websites/";
const oneDocument = (id: string): string => `${documentsPath}${encodeURIComponent(id)}/`;
const oneWebsite = (id: string): string => `${websitesPath}${encodeURIComponent(id)}/`;

/** What the page shows. */
export interface KnownDocuments {
  readonly documents: Knowledge[];
  readonly websites: Website[];
}

/** The documents and the websites. Throws ApiError. */
export async function loadKnowledge(api: ApiClient, signal: AbortSignal): Promise<KnownDocuments> {
  const [documents, websites] = await Promise.all([
    api.request(documentsPath, { schema: knowledgeListSchema, signal }),
    api.request(websitesPath, { schema: websiteListSchema, signal }),
  ]);
  return { documents, websites };
}

/** A document with its text. Throws ApiError. */
export const loadDocument = (api: ApiClient, id: string, signal: AbortSignal): Promise<KnowledgeDetail> =>
  api.request(oneDocument(id), { schema: knowledgeDetailSchema, signal });

/** A document as it is written here. */
export interface WrittenDocument {
  readonly title: string;
  /** Left out: it stays. */
  readonly text?: string;
  /** The avatars that answer from it, by UUID. */
  readonly contexts: readonly string[];
  /** When the document that was edited was changed last; left out: somebody else's changes are replaced. */
  readonly updated_at?: string;
}

/** Adds a text. Throws ApiError. */
export const addDocument = (api: ApiClient, written: WrittenDocument): Promise<Knowledge> =>
  api.request(documentsPath, { method: "POST", body: written, schema: knowledgeSchema });

/** Changes a document. Throws ApiError. */
export const changeDocument = (api: ApiClient, id: string, written: WrittenDocument): Promise<Knowledge> =>
  api.request(oneDocument(id), { method: "PUT", body: written, schema: knowledgeSchema });

/** Deletes a document; for 30 s it can be restored. Throws ApiError. */
export const deleteDocument = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(oneDocument(id), { method: "DELETE" });

/** Takes the deletion back. Throws ApiError. */
export const restoreDocument = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(`${oneDocument(id)}restore/`, { method: "POST" });

/** Finds the passages that answer a question: those of an avatar, or of all documents. Throws ApiError. */
export const testQuestion = (
  api: ApiClient,
  question: string,
  context: string | undefined,
): Promise<KnowledgeAnswer> =>
  api.request("/api/console/knowledge-test/", {
    method: "POST",
    body: { question, context },
    schema: knowledgeAnswerSchema,
  });

/** Which of an avatar's suggestions its documents answer, and others that they would answer. Throws ApiError. */
export const checkSuggestions = (
  api: ApiClient,
  body: { context: string; documents: readonly string[]; texts: readonly string[] },
  signal: AbortSignal,
): Promise<CheckedSuggestions> =>
  api.request("/api/console/knowledge-suggestions/", {
    method: "POST",
    body,
    schema: checkedSuggestionsSchema,
    signal,
  });

/** Begins to read a website. Throws ApiError. */
export const addWebsite = (
  api: ApiClient,
  website: { address: string; every: string; contexts: readonly string[] } & WebsitePaths,
): Promise<Website> => api.request(websitesPath, { method: "POST", body: website, schema: websiteSchema });

/** Reads a website again, or stops reading it. Throws ApiError. */
export const orderWebsite = (api: ApiClient, id: string, order: "read" | "stop"): Promise<Website> =>
  api.request(`${oneWebsite(id)}${order}/`, { method: "POST", schema: websiteSchema });

/** Changes how often a website is read, and which of its pages. Throws ApiError. */
export const changeWebsite = (
  api: ApiClient,
  id: string,
  change: { every: WebsiteSchedule } & Partial<WebsitePaths>,
): Promise<Website> => api.request(oneWebsite(id), { method: "PUT", body: change, schema: websiteSchema });

/** Leaves out a page of a website. Throws ApiError. */
export const leaveOutPage = (api: ApiClient, id: string, path: string): Promise<Website> =>
  api.request(`${oneWebsite(id)}leave-out/`, { method: "POST", body: { path }, schema: websiteSchema });

/** Deletes a website with its document; for 30 s the document can be restored. Throws ApiError. */
export const deleteWebsite = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(oneWebsite(id), { method: "DELETE" });
