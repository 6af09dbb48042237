/** A session that an earlier page of the tab has left. */
export interface KeptSession {
  readonly id: string;
  readonly token: string;
  /** Whether its START was reported. */
  readonly isReported: boolean;
}
