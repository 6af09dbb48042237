/** A connection to a tool server that can no longer be used. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** The server no longer knows the connection, for example after a restart, so the request was not carried out. */
  readonly isForgotten: boolean;

  constructor(isForgotten: boolean, cause: unknown) {
    super("The connection to the tool server is lost.", { cause });
    this.isForgotten = isForgotten;
  }
}
