import { consoleSessionSchema } from "../protocol/console/accounts.ts";
import type { AccountRole, ConsoleSession } from "../protocol/console/accounts.ts";
import type { ApiClient } from "./api/api-client.ts";
import { ApiError } from "./api/api-error.ts";

/** Who is signed in. `unknown`: the server has not been asked yet. `expired`: a session has ended, and the page asks to sign in again. */
export type SessionState =
  | { status: "unknown" }
  | { status: "out" }
  | { status: "in"; session: ConsoleSession }
  | { status: "expired"; session: ConsoleSession };

const rank: Readonly<Record<AccountRole, number>> = { viewer: 0, answers: 1, editor: 2, owner: 3 };

/** The operator's session: signing in and out, and what the role may do. */
export class SessionKeeper {
  state: SessionState = { status: "unknown" };
  readonly #listeners = new Set<() => void>();
  readonly #api: () => ApiClient;
  /** Requests that wait until somebody has signed in again. */
  #waiting: ((isIn: boolean) => void)[] = [];

  constructor(api: () => ApiClient) {
    this.#api = api;
  }

  /** Calls back when the state changes. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Whether the account that is signed in has at least this role. */
  may(role: AccountRole): boolean {
    return "session" in this.state && rank[this.state.session.account.role] >= rank[role];
  }

  /** Finds out who is signed in. Throws ApiError if the server cannot be asked. */
  async resume(): Promise<void> {
    try {
      const session = await this.#api().request("/api/console/session/", {
        schema: consoleSessionSchema,
        isGuest: true,
      });
      this.#become({ status: "in", session });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "expired") throw error;
      this.#become({ status: "out" });
    }
  }

  /** Signs in. Throws ApiError: `wrong_password`, `rate_limited`, … */
  async signIn(password: string, username: string): Promise<void> {
    const body = { password, ...(username !== "" && { username }) };
    const session = await this.#api()
      .request("/api/console/login/", { method: "POST", body, schema: consoleSessionSchema, isGuest: true })
      .catch((error: unknown) => {
        throw error instanceof ApiError && error.code === "expired"
          ? new ApiError("wrong_password", { status: 401, attemptsLeft: error.attemptsLeft })
          : error;
      });
    this.#enter(session);
  }

  /** Signs out. Throws ApiError. */
  async signOut(): Promise<void> {
    await this.#api().request("/api/console/logout/", { method: "POST", isGuest: true });
    this.#become({ status: "out" });
    this.#answer(false);
  }

  /** The session has ended: asks to sign in again. Resolves with true when somebody did. */
  signInAgain(): Promise<boolean> {
    if (this.state.status === "in") this.#become({ status: "expired", session: this.state.session });
    if (this.state.status !== "expired") return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Leaves the page without signing in again. */
  giveUp(): void {
    this.#become({ status: "out" });
    this.#answer(false);
  }

  #enter(session: ConsoleSession): void {
    const before = "session" in this.state ? this.state.session : null;
    this.#become({ status: "in", session });
    // The page shows what the previous account was allowed to see.
    if (before !== null && before.account.id !== session.account.id) location.reload();
    else this.#answer(true);
  }

  #answer(isIn: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(isIn);
  }

  #become(state: SessionState): void {
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}
