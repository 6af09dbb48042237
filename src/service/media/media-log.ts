/** Where the engine's log lines go. Fields hold no texts, descriptions or whole session ids. */
export interface MediaLog {
  info(message: string, fields?: Record<string, string | number | boolean | null>): void;
  warn(message: string, fields?: Record<string, string | number | boolean | null>): void;
}
