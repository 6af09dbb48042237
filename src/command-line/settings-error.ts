/** An invalid setting. The message says which one, its value, and which values are valid. */
export class SettingsError extends Error {
  readonly code = "invalid_setting";
}
