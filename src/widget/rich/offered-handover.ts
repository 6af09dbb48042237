import { nothing } from "lit";
import type { AvatarSession, TranscriptEntry } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { PanelActions, PanelModel } from "../panel/panel-host.ts";
import type { PersonParts } from "../person/person-view.ts";
import type { AnswerActions } from "../transcript/answer-actions.ts";
import type { HandoverProps } from "./handover-view.ts";
import type { MessageParts } from "./message-form.ts";
import type * as richView from "./rich-view.ts";

/** The ways to a person in one panel. */
export interface OfferedHandover {
  /** The ways that are offered now, or nothing. */
  readonly offer: unknown;
  /** The ways where an answer offers them. */
  readonly props: HandoverProps;
  /** The visitor chooses a person from the menu; null where the owner gives no way to one. */
  readonly choose: (() => void) | null;
  /** The message that can be left; null where none can. */
  readonly message: MessageParts | null;
}

interface Given {
  readonly model: Pick<PanelModel, "t" | "lang" | "mode">;
  readonly current: AvatarSession | null;
  readonly session: { readonly transcript: readonly TranscriptEntry[] };
  readonly context: PublicContext | null;
  readonly panel: Pick<PanelActions, "answers" | "change">;
}

/** The ways to a person, and whether they are offered now: asked for, chosen, or after two answers that found nothing. */
export function handoverOf(
  rich: typeof richView | null | undefined,
  given: Given,
  actions: Pick<AnswerActions, "handOver">,
  person: PersonParts | null,
): OfferedHandover {
  const {
    model: { t, mode },
    session: { transcript },
    context,
    panel,
  } = given;
  const { answers, change } = panel;
  const ways = rich?.readHandover(context?.ui) ?? null;
  const last = transcript.findLast(({ role }) => role === "visitor")?.id ?? "";
  const message = (rich && ways && messageOf(rich, ways, given, last)) ?? null;
  // What is being written stays, also when somebody comes. The bar below the picture has no room for it.
  const written = mode === "voice" ? null : (message?.form ?? message?.sent);
  const props = (reason: Parameters<AnswerActions["handOver"]>[0]): HandoverProps => ({
    t,
    ways,
    told: answers.handedOver === true,
    handOver: (via) => actions.handOver(reason, via),
    leaveMessage: written ? null : (message?.open ?? null),
  });
  const reason = answers.personAfter === last ? "menu" : (rich?.handoverReason(transcript) ?? null);
  const isShown = transcript.at(-1)?.content?.handover === true;
  // Where somebody is there, they can join in place of all other ways.
  if (person?.ask || person?.joined || person?.isWaiting)
    return {
      offer: written ?? person.offer(reason !== null),
      props: props("offered"),
      choose:
        person.ask &&
        (() => {
          person.ask?.();
          change({ moreOpen: false });
        }),
      message: null,
    };
  const others = rich && ways && reason && !isShown ? rich.handoverView(props(reason)) : nothing;
  return {
    offer: written ?? others,
    props: props("offered"),
    choose:
      ways && (() => change({ moreOpen: false, textOpen: true, answers: { ...answers, personAfter: last } })),
    message,
  };
}

function messageOf(
  rich: typeof richView,
  ways: NonNullable<HandoverProps["ways"]>,
  { model: { t, lang }, session: { transcript }, current, panel }: Given,
  last: string,
): MessageParts | null {
  return rich.messageParts({
    t,
    lang,
    ways,
    transcript,
    session: current,
    draft: () => panel.answers.message,
    change: (message) => panel.change({ answers: { ...panel.answers, message } }),
    show: (message) =>
      panel.change({ textOpen: true, answers: { ...panel.answers, personAfter: last, message } }),
  });
}
