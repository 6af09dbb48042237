import type { AvatarSession, Rating, TranscriptEntry } from "../../client/index.ts";
import type { GivenRating, PanelActions, PanelHost } from "../panel/panel-host.ts";
import { announce, announceCancelable, type HandoverVia } from "../session/element-events.ts";
import type { HandoverReason } from "../rich/handover-view.ts";
import type { RichProps } from "../rich/rich-view.ts";

/** What the visitor can do with answers. */
export interface AnswerActions {
  /** Shows the rest of the answer to a question without waiting for the voice. */
  readonly readAhead: (question: string) => void;
  readonly copyAnswer: (entry: TranscriptEntry) => void;
  /** Sends a rating to the service, and tells the page. `key` says what is rated. */
  readonly rate: (key: string, rating: Rating) => void;
  /** Tells the page that a link of an answer is followed. */
  readonly followLink: (event: Event, href: string) => void;
  /** Tells the page the action of a button or a form, and writes it into the transcript. */
  readonly act: RichProps["act"];
  /** A form was sent. */
  readonly keepSent: RichProps["keepSent"];
  /** Tells the page that the visitor wants a person. False if the page has taken over. */
  readonly handOver: (reason: HandoverReason | "offered" | "menu", via: HandoverVia) => boolean;
  /** Empties the transcript; the avatar forgets what was said. */
  readonly clear: () => void;
}

/** The actions of one panel. `toText` gives an answer as it is copied. */
export function answerActions(
  host: PanelHost,
  session: AvatarSession | null,
  panel: PanelActions,
  toText: (text: string) => string | null,
): AnswerActions {
  const change = (answers: PanelActions["answers"]): void =>
    panel.change({ answers: { ...panel.answers, ...answers } });
  return {
    readAhead: (readAheadOf) => change({ readAheadOf }),
    copyAnswer: ({ id, text }) => {
      navigator.clipboard.writeText(toText(text) ?? text).then(
        () => change({ copied: id }),
        // A frame without the permission may not write to the clipboard. The download works there too.
        () => undefined,
      );
    },
    rate: (key, rating) => {
      const become = (status: GivenRating["status"]): void =>
        change({ ratings: { ...panel.answers.ratings, [key]: { ...rating, status } } });
      if (!session) return;
      become("sending");
      announce(host, "rating", rating);
      session.rate(rating).then(
        () => become("sent"),
        () => become("failed"),
      );
    },
    followLink: (event, href) => {
      if (!announceCancelable(host, "link", { href })) event.preventDefault();
    },
    act: (detail, text) => {
      void session?.note(text);
      announce(host, "action", detail);
    },
    keepSent: (id, values) => change({ sent: { ...panel.answers.sent, [id]: values } }),
    handOver: (reason, via) => {
      if (via === "page") change({ handedOver: true });
      return announceCancelable(host, "handover", { reason, via, sessionId: session?.sessionId ?? null });
    },
    clear: () => {
      session?.clear();
      panel.change({ moreOpen: false, copied: false, answers: {} });
    },
  };
}
