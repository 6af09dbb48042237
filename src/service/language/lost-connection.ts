/** A connection to a tool server that is good for nothing any more. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
  /** The server does not know us any more, as after its restart: what was asked of it was not done. */
  readonly isForgotten: boolean;

  constructor(isForgotten: boolean, cause: unknown) {
    super("The connection to the tool server is lost.", { cause });
    this.isForgotten = isForgotten;
  }
}
