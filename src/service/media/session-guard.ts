/** Wraps a handler so that it never throws: an exception ends only its session. */
export type Guard = <Arguments extends unknown[]>(
  handler: (...given: Arguments) => void,
) => (...given: Arguments) => void;

/**
 * The guard of one session. Every callback from native code, a timer or a settled promise must go through it: an exception
 * there would end the process with all its sessions.
 *
 * @param onFault called with what a handler threw; must not throw
 */
export function sessionGuard(onFault: (error: unknown) => void): Guard {
  return (handler) =>
    (...given) => {
      try {
        handler(...given);
      } catch (error) {
        onFault(error);
      }
    };
}
