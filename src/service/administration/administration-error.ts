/** Why an operator's action is not possible. */
export type AdministrationErrorCode =
  | "not_found"
  | "name_taken"
  | "invalid_name"
  | "invalid_quota"
  | "invalid_expiry"
  | "organization_required"
  | "shared_entry"
  | "entry_exists"
  | "entry_changed"
  | "session_ended"
  | "model_unknown"
  | "model_exists"
  | "model_unrecognized"
  | "download_failed"
  | "checksum_mismatch"
  | "archive_refused"
  | "installation_failed"
  | "document_refused"
  | "engine_refused"
  | "engine_used"
  | "owner_needed"
  | "invitation_gone"
  | "webhook_refused";

/** An operator's action that is not possible. The message says what is wrong and what to do, and fits every interface. */
export class AdministrationError extends Error {
  override readonly name = "AdministrationError";
  readonly code: AdministrationErrorCode;
  /** The name of the wrong field of the request; null if no single field is wrong. */
  readonly field: string | null;

  constructor(
    code: AdministrationErrorCode,
    message: string,
    { field, ...options }: ErrorOptions & { field?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.field = field ?? null;
  }
}
