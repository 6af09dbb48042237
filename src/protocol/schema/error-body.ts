import * as z from "zod/mini";

/**
 * Codes of error entries on the wire, including the relay's own (wire conventions, Status codes and error bodies). An object
 * of another organization is also `does_not_exist`: a separate code would reveal that it exists.
 */
export const wireErrorCodes = [
  "required",
  "null",
  "blank",
  "invalid",
  "invalid_choice",
  "min_value",
  "max_value",
  "max_length",
  "does_not_exist",
  "parse_error",
  "not_found",
  "method_not_allowed",
  "not_acceptable",
  "unsupported_media_type",
  "permission_denied",
  "error",
] as const;

export type WireErrorCode = (typeof wireErrorCodes)[number];

/**
 * One fault of a request: what was wrong (`detail`) and where (`attr`, a dotted path, or null). `limit` (the relay's own): which
 * limit was reached, a VisavisLimit.
 */
export interface WireError {
  code: string;
  detail: string;
  attr: string | null;
  limit?: string | undefined;
}

/** The body of every error but authentication and rate limiting. Clients read `errors[0]`. */
export const errorBodySchema = z.object({
  type: z.enum(["validation_error", "client_error", "server_error"]),
  errors: z
    .array(
      z.object({
        code: z.string(),
        detail: z.string(),
        attr: z.nullable(z.string()),
        limit: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The body of authentication and rate-limit failures (interface specification, Authentication and Errors). */
export const authErrorBodySchema = z.object({ code: z.string(), message: z.string(), status: z.string() });
export type AuthErrorBody = z.infer<typeof authErrorBodySchema>;
