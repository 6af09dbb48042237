import * as z from "zod";

/** A valid HTTP header value (RFC 9110, Field Values), without surrounding white space. */
export const headerValueSchema = z
  .string()
  .trim()
  .min(1)
  .regex(/^[\t -~\u00a0-\u00ff]*$/, {
    error: "This is no value of a header: set it without line breaks, in Latin letters.",
  });

/** A header's name (RFC 9110, Tokens). */
export const headerNameSchema = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, {
  error: "This is no name of a header.",
});
