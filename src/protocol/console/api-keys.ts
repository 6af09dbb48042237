import * as z from "zod";

/** An API key. The key itself is shown once, when it is made. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  status: z.enum(["active", "expired", "revoked"]),
  /** Until when an active key is valid (null: forever), or since when it is not. */
  at: z.string().nullable(),
});
export type ApiKeyInConsole = z.infer<typeof apiKeySchema>;

/** Answer of GET /api/console/api-keys/. */
export const apiKeyListSchema = z.array(apiKeySchema);

/** Body of POST /api/console/api-keys/. Without `expires_at` the key is valid until it is revoked. */
export const apiKeyCreateSchema = z.object({
  name: z.string().min(1).max(200),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

/** Answer of POST /api/console/api-keys/. */
export const apiKeyCreatedSchema = apiKeySchema.extend({ key: z.string() });
