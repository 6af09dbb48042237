/** A key's count in its window, and when the window ends (ms since the Unix epoch). */
export interface CounterWindow {
  total: number;
  resetAtMs: number;
}

/**
 * Counts for rate limits and other limits, in memory or in a shared store. Processes that share a counter share its limits.
 * Relay and service use the same interface, and neither may import the other.
 */
export interface Counter {
  /**
   * Adds `amount` to the key's fixed window and returns the window. An amount of 0 only reads it. The first amount opens a
   * window of `windowMs`.
   */
  add(key: string, amount: number, windowMs: number): Promise<CounterWindow>;
  /** Takes one of `limit` places under the key for `ttlMs`, or renews the holder's place. False: all places are taken. */
  hold(key: string, holder: string, limit: number, ttlMs: number): Promise<boolean>;
  /** Frees the holder's place. False: it had none. */
  release(key: string, holder: string): Promise<boolean>;
  /** At most `count` holders whose places expire within `withinMs` unless renewed. Those that expire first come first. */
  holders(key: string, withinMs: number, count: number): Promise<string[]>;
  /**
   * Raises the key's maximum to `value` and returns the increase: 0 if it was already as high. A new maximum begins at 0.
   * One that has not increased for `ttlMs` is dropped.
   */
  raise(key: string, value: number, ttlMs: number): Promise<number>;
}
