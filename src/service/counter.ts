/** How much a key has gathered in its window, and when (ms since the Unix epoch) the window is over. */
export interface CounterWindow {
  total: number;
  resetAtMs: number;
}

/**
 * Counts in fixed windows, and keeps places: the first amount under a key opens its window, and everything until `resetAtMs` belongs to it.
 * Several processes that share a counter are limited as one.
 */
export interface Counter {
  /** Adds `amount` (0: only looks) to the key's window, which is `windowMs` long when it begins now. */
  add(key: string, amount: number, windowMs: number): Promise<CounterWindow>;
  /** Takes one of `limit` places under the key for `ttlMs`, or renews the holder's own. False: all are taken. */
  hold(key: string, holder: string, limit: number, ttlMs: number): Promise<boolean>;
  /** Gives the holder's place back. False: it had none. */
  release(key: string, holder: string): Promise<boolean>;
}
