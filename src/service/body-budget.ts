/** What the body of one request holds of the memory for bodies. */
export interface BodyLease {
  /** Takes so many bytes more; tells whose share is used up, null where they were taken. */
  take(bytes: number): "process" | "address" | null;
  /** Gives back all that was taken. */
  release(): void;
}

/** Counts the bytes of request bodies in memory, for all that reads bodies in a process. */
export interface BodyBudget {
  /** `address` null: unknown. */
  open(address: string | null): BodyLease;
}
