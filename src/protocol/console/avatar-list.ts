import * as z from "zod";

/**
 * Where an avatar stands. `live`: a page that may show it has loaded it; `draft`: none has yet; `paused`: switched off by its owner.
 */
export const avatarStates = ["live", "draft", "paused"] as const;

/** An embed context in the console's list of avatars. */
export const avatarSchema = z.object({
  id: z.string(),
  context_id: z.string(),
  name: z.string(),
  /** The name that visitors read; the context's own where none is set. */
  avatar_name: z.string(),
  model_style: z.string(),
  state: z.enum(avatarStates),
  /** Origins whose pages may show it. */
  origins: z.array(z.string()),
  /** Conversations of the last seven days. */
  conversations_7d: z.number().int(),
  /** One of the demo page's, as the server brings them: nobody has changed it. */
  is_demo: z.boolean(),
  revision: z.number().int(),
  updated_at: z.string(),
});
export type Avatar = z.infer<typeof avatarSchema>;

/** Answer of GET /api/console/contexts/. */
export const avatarListSchema = z.array(avatarSchema);
