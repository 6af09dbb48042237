/** Makes a handler that never throws: what it throws ends its session alone. */
export type Guard = <Arguments extends unknown[]>(
  handler: (...given: Arguments) => void,
) => (...given: Arguments) => void;

/**
 * The guard of one session. Everything that is called by native code, a timer or a settled promise goes through it: an
 * exception there would end the process, with everybody's sessions in it.
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
