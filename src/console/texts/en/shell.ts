import { many } from "./count.ts";

/** What every page needs, in English: navigation, signing in, errors, states. */
export const shell = {
  console: "Console",
  skip: "Skip to content",
  nav: {
    overview: "Overview",
    live: "Live",
    inbox: "Inbox",
    avatars: "Avatars",
    knowledge: "Knowledge",
    conversations: "Conversations",
    unanswered: "Unanswered",
    engines: "Engines",
    settings: "Settings",
    more: "More",
    open: (count: number) => `${count} open`,
    dark: "Dark colours",
    light: "Light colours",
    signOut: "Sign out",
  },
  roles: { owner: "Owner", editor: "Editor", answers: "Answers visitors", viewer: "Viewer" },
  signIn: {
    title: "Sign in to your console",
    password: "Password",
    username: "User name",
    usernameHelp: "Leave it empty if you have the password of the first start.",
    withUsername: "I have a user name",
    show: "Show password",
    hide: "Hide password",
    submit: "Sign in",
    signingIn: "Signing in",
    help: "Where do I find the password?",
    helpText:
      "The server printed it once, when it first started. Whoever runs the server can set a new one with VISAVIS_PASSWORD. Other people sign in with the user name and password that they chose when they were invited.",
    expiredTitle: "Sign in again",
    expired: "You were signed out. What you typed is still here.",
    giveUp: "Leave without saving",
    server: "Runs on your own server",
  },
  invitation: {
    title: "You are invited",
    lead: (organization: string, role: string) => `To the console of ${organization}, as ${role}.`,
    gone: "This invitation does not work",
    goneText:
      "It was used, it was withdrawn, or its week is over. Ask the person who invited you for another one.",
    username: "Choose a user name",
    password: "Choose a password",
    passwordHelp: "12 characters or more",
    submit: "Create my account",
  },
  errors: {
    unexpected: "Something went wrong in this page. Reload it, please.",
    network: "The server doesn’t answer. Check the connection, then try again.",
    expired: "You are signed out. Sign in, then try again.",
    wrongPassword: (left: number | null) =>
      left === null
        ? "This password isn’t right."
        : left === 0
          ? "This password isn’t right. Wait a minute before you try again."
          : `This password isn’t right. You can try ${many(left, "more time", "more times")} this minute.`,
    forbidden: "You may not do this here.",
    notFound: "It doesn’t exist any more. Somebody may have deleted it.",
    conflict: "Somebody else changed it meanwhile. Load it again to see the change.",
    tooLarge: "That is too large for the server. Make it smaller, then try again.",
    rateLimited: (seconds: number | null) =>
      seconds === null
        ? "Too many attempts. Wait a minute, then try again."
        : `Too many attempts. Try again in ${many(seconds, "second", "seconds")}.`,
    invalid: "The server does not accept this.",
    server: "The server had an internal error. Try again. If it happens again, look at the server’s log.",
    unreadable: "The server’s answer can’t be read. Reload the page: it may have been updated.",
    noPage: "There is no such page",
    noPageText: "The address may be old.",
    toStart: "To the start",
    notForRole: "Your role does not show this page.",
  },
  states: {
    loading: "Loading",
    tryAgain: "Try again",
    tryingAgain: (attempt: number, of: number) =>
      `The server doesn’t answer. Trying again, ${attempt} of ${of}.`,
    loadMore: "Show more",
  },
  undo: "Undo",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  copy: "Copy",
  copied: "Copied",
  copyNow: "Copy it now, it is shown only once.",
  never: "Never",
  time: {
    today: "Today",
    yesterday: "Yesterday",
    todayAt: (time: string) => `Today, ${time}`,
    yesterdayAt: (time: string) => `Yesterday, ${time}`,
    withinToday: (time: string) => `today at ${time}`,
    withinYesterday: (time: string) => `yesterday at ${time}`,
    dayAt: (day: string, time: string) => `${day} at ${time}`,
    seconds: (seconds: number) => `${seconds} s`,
    minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  },
};

/** The texts of the shell. Each other language has the same keys. */
export type ShellTexts = typeof shell;
