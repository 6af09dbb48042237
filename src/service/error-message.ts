/** What an error says. Anything may be thrown, so any other value is shown as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
