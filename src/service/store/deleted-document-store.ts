import type { KnowledgeDocument } from "../../protocol/catalogue.ts";
import type { EngineSettings } from "./catalogue-store.ts";

/** A document that was deleted and can be restored for a short time. */
export interface DeletedDocument {
  id: string;
  organizationId: string;
  body: KnowledgeDocument;
  engine: EngineSettings | null;
  /** UUIDs of the contexts that named it. */
  contexts: string[];
  deletedAtMs: number;
}

/** Documents that were deleted a short time ago. */
export interface DeletedDocumentStore {
  put(document: DeletedDocument): Promise<void>;
  /** Takes a document out; null if it is not there. */
  take(organizationId: string, id: string): Promise<DeletedDocument | null>;
  /** Takes out those that were deleted before a time. */
  takeOlder(beforeMs: number): Promise<DeletedDocument[]>;
}
