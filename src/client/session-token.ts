/** The session's short-lived token. The relay renews it with heartbeats; the latest one is used. */
export class SessionToken {
  #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }

  /** Takes a response's new token, if it has one. */
  refresh(value: string | null): void {
    if (value) this.#value = value;
  }
}
