import { turnSettingsOf } from "../../../protocol/settings/turn-settings.ts";
import type { Conversation } from "../../conversation/conversation.ts";

/**
 * Lets the answer to a question begin that the visitor has probably finished. Not while the avatar speaks: what it has said by the
 * end of the turn belongs to the question's history. `voice`: what the context says of it; its owner may not want this. Never rejects.
 */
export async function askEarly(
  conversation: Pick<Conversation, "speech" | "turnsOf">,
  question: string,
  voice: unknown,
): Promise<void> {
  if (conversation.speech?.busy || !turnSettingsOf(voice).begin_early) return;
  // A question tells of turns that cannot be loaded.
  const turns = await conversation.turnsOf("").catch(() => null);
  await turns?.askEarly(question);
}
