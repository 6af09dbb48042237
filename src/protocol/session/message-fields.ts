import type { MessageField } from "../settings/late-settings.ts";

/** For how many days messages of visitors are kept. */
export const messageDays = 90;

/** The longest message of a visitor, in characters. */
export const messageMaxLength = 4_000;

/** An address to answer to: no spaces, and nothing that would end it in a header or a link. */
export const emailPattern = /^[^\s@<>()[\]\\,;:"?&]+@[^\s@<>()[\]\\,;:"?&]+\.[^\s@<>()[\]\\,;:"?&.]{2,}$/;

export const emailMaxLength = 254;
export const nameMaxLength = 120;

/** Whether a field has to be filled in: without a way to answer, a message cannot be answered. */
export function isRequired(field: MessageField, asked: readonly MessageField[]): boolean {
  return field === "email" || (field === "phone" && !asked.includes("email"));
}
