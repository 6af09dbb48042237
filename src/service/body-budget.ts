/** How much of the memory for request bodies one request uses. */
export interface BodyLease {
  /** Takes more bytes. Returns which limit is used up, or null when the bytes were taken. */
  take(bytes: number): "process" | "address" | null;
  /** Gives back all bytes that were taken. */
  release(): void;
}

/** Counts the bytes of request bodies in memory, for everything in a process that reads bodies. */
export interface BodyBudget {
  /** `address` is null when it is unknown. */
  open(address: string | null): BodyLease;
}
