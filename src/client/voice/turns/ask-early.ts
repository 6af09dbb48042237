import type { Conversation } from "../../conversation.ts";

/**
 * Lets the answer to a question begin that the visitor has probably finished. Not while the avatar speaks: what it has said by the
 * end of the turn belongs to the question's history. Never rejects.
 */
export async function askEarly(
  conversation: Pick<Conversation, "speech" | "turnsOf">,
  question: string,
): Promise<void> {
  if (conversation.speech?.busy) return;
  // A question tells of turns that cannot be loaded.
  const turns = await conversation.turnsOf("").catch(() => null);
  await turns?.askEarly(question);
}
