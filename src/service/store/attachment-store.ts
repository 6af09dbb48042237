/** A file that a visitor has attached to a question. */
export interface AttachmentRecord {
  /** Also its name in the file store, and in the count of files (`EventFileStore`). */
  id: string;
  sessionId: string;
  /** The file's name on the visitor's device. */
  name: string;
  /** The media type, as found in the content. */
  type: string;
  bytes: number;
}

/** The files that visitors have attached. Their bytes are in the file store. */
export interface AttachmentStore {
  insert(attachment: AttachmentRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** The files of a session. */
  list(sessionId: string): Promise<AttachmentRecord[]>;
  /** The bytes of all files of an organization. */
  bytesOf(organizationId: string): Promise<number>;
  /** Ids of some attachments that are left from sessions that have ended. */
  ofEndedSessions(limit: number): Promise<string[]>;
}
