/** A setting that cannot be used: says which, what it holds and what would do. */
export class SettingsError extends Error {
  readonly code = "invalid_setting";
}
