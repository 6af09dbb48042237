/** The session's short-lived token: the relay renews it on a heartbeat, and the latest one counts. */
export class SessionToken {
  #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }

  /** Takes the token that an answer brought, if it brought one. */
  refresh(value: string | null): void {
    if (value) this.#value = value;
  }
}
