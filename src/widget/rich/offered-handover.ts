import { nothing } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/relay-api.ts";
import type { PanelActions } from "../panel/panel-host.ts";
import type { Translate } from "../texts/texts.ts";
import type { AnswerActions } from "../transcript/answer-actions.ts";
import type { HandoverProps } from "./handover-view.ts";
import type * as richView from "./rich-view.ts";

/** The ways to a person in one panel. */
export interface OfferedHandover {
  /** The ways that are offered now, or nothing. */
  readonly offer: unknown;
  /** The ways where an answer offers them. */
  readonly props: HandoverProps;
  /** The visitor chooses a person from the menu; null where the owner gives no way to one. */
  readonly choose: (() => void) | null;
}

interface Given {
  readonly model: { readonly t: Translate };
  readonly session: { readonly transcript: readonly TranscriptEntry[] };
  readonly context: PublicContext | null;
  readonly panel: Pick<PanelActions, "answers" | "change">;
}

/** The ways to a person, and whether they are offered now: asked for, chosen, or after two answers that found nothing. */
export function handoverOf(
  rich: typeof richView | null | undefined,
  { model: { t }, session: { transcript }, context, panel }: Given,
  actions: Pick<AnswerActions, "handOver">,
): OfferedHandover {
  const { answers, change } = panel;
  const ways = rich?.readHandover(context?.ui) ?? null;
  const props = (reason: Parameters<AnswerActions["handOver"]>[0]): HandoverProps => ({
    t,
    ways,
    told: answers.handedOver === true,
    handOver: (via) => actions.handOver(reason, via),
  });
  const last = transcript.findLast(({ role }) => role === "visitor")?.id ?? "";
  const reason = answers.personAfter === last ? "menu" : (rich?.handoverReason(transcript) ?? null);
  const isShown = transcript.at(-1)?.content?.handover === true;
  return {
    offer: rich && ways && reason && !isShown ? rich.handoverView(props(reason)) : nothing,
    props: props("offered"),
    choose:
      ways && (() => change({ moreOpen: false, textOpen: true, answers: { ...answers, personAfter: last } })),
  };
}
