import type { PersonView } from "../../protocol/session/person.ts";

/** What is known of people who may join, and what the visitor can do about them. */
export interface PersonStatus extends Omit<PersonView, "type"> {
  /** Asks for a person, or stops waiting for one. Rejects with VisavisError. */
  want(isWanted: boolean): Promise<void>;
}
