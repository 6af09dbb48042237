import type { AccountRole } from "../protocol/console/accounts.ts";
import type { ConsolePage } from "./page.ts";
import type { NavigationEntry } from "./shell/navigation-entries.ts";
import type { TextPart } from "./texts/page-texts.ts";

/** A page of the console, as the registry below names it. */
export interface Route {
  /** The path after `#`; `:name` is a parameter, and `?` after it makes it optional. */
  readonly path: string;
  /** The entry of the navigation that is marked. */
  readonly entry: NavigationEntry | "more";
  /** The parts of the texts that the page shows. */
  readonly texts: readonly TextPart[];
  /** Loads the module with the page's class. The same class at several paths keeps its element. */
  readonly load: () => Promise<new () => ConsolePage>;
  /** The page takes the whole width: the navigation folds to its icons. */
  readonly isWide?: boolean;
  /** The role that the page is for. Default: viewer. */
  readonly role?: AccountRole;
}

/** The page that the console opens with. */
export const startPath = "/";

/** Every page. The first route that matches the path is shown; an entry of the navigation without a route is not shown. */
export const routes: readonly Route[] = [
  {
    path: startPath,
    entry: "overview",
    texts: ["overview"],
    load: async () => (await import("./overview/overview-page.ts")).OverviewPage,
  },
  {
    path: "/avatars",
    entry: "avatars",
    texts: ["avatars"],
    load: async () => (await import("./avatars/avatars-page.ts")).AvatarsPage,
  },
  {
    path: "/avatars/photo",
    entry: "avatars",
    texts: ["photo"],
    load: async () => (await import("./photo/photo-page.ts")).PhotoPage,
    role: "editor",
  },
  {
    path: "/avatars/:id/:tab?",
    entry: "avatars",
    texts: ["editor"],
    load: async () => (await import("./editor/editor-page.ts")).EditorPage,
    isWide: true,
  },
  {
    path: "/knowledge",
    entry: "knowledge",
    texts: ["knowledge"],
    load: async () => (await import("./knowledge/knowledge-page.ts")).KnowledgePage,
  },
  {
    path: "/conversations/:session?",
    entry: "conversations",
    texts: ["conversations"],
    load: async () => (await import("./conversations/conversations-page.ts")).ConversationsPage,
  },
  {
    path: "/live/:session?",
    entry: "live",
    texts: [],
    load: async () => (await import("./live/live-page.ts")).LivePage,
    isWide: true,
  },
  {
    path: "/inbox/:message?",
    entry: "inbox",
    texts: ["conversations"],
    load: async () => (await import("./inbox/inbox-page.ts")).InboxPage,
  },
  {
    path: "/unanswered",
    entry: "unanswered",
    texts: ["unanswered", "conversations"],
    load: async () => (await import("./unanswered/unanswered-page.ts")).UnansweredPage,
  },
  {
    path: "/engines",
    entry: "engines",
    texts: ["engines"],
    load: async () => (await import("./engines/engines-page.ts")).EnginesPage,
  },
  {
    path: "/settings/:section?",
    entry: "settings",
    texts: ["settings", "conversations"],
    load: async () => (await import("./settings/settings-page.ts")).SettingsPage,
  },
  {
    path: "/more",
    entry: "more",
    texts: ["more"],
    load: async () => (await import("./more/more-page.ts")).MorePage,
  },
];
