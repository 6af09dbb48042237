/** Stores the service's files under names that the service chooses. */
export interface FileStore {
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** Size of a file in bytes; null if there is no such file. */
  size(name: string): Promise<number | null>;
  /** Removes a file. A missing file is not an error. */
  remove(name: string): Promise<void>;
}

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether a text is a valid name for a stored file: it contains nothing that is special to a file system. */
export function isFileName(name: string): boolean {
  return pattern.test(name);
}
