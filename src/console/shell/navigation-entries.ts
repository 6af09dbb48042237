import type { IconName } from "../parts/icons.ts";

/** Entries of the navigation. */
export type NavigationEntry =
  | "overview"
  | "live"
  | "inbox"
  | "avatars"
  | "knowledge"
  | "conversations"
  | "unanswered"
  | "engines"
  | "settings";

/** The icon of each entry of the navigation. */
export const entryIcons: Readonly<Record<NavigationEntry, IconName>> = {
  overview: "overview",
  live: "people",
  inbox: "inbox",
  avatars: "person",
  knowledge: "book",
  conversations: "chat",
  unanswered: "ask",
  engines: "chip",
  settings: "settings",
};

/** What the bar of a phone has no room for. */
export const moreEntries = [
  "avatars",
  "knowledge",
  "conversations",
  "engines",
  "settings",
] as const satisfies readonly NavigationEntry[];
