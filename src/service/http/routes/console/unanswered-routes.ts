import {
  taughtSchema,
  teachSchema,
  unansweredGroupSchema,
  unansweredListSchema,
  unansweredQuerySchema,
} from "../../../../protocol/console/unanswered.ts";
import { hideQuestions, reopenQuestions, teachAnswer } from "../../../administration/unanswered/teach.ts";
import type { Settling, TeachingParts } from "../../../administration/unanswered/teach.ts";
import { listUnanswered } from "../../../administration/unanswered/unanswered.ts";
import { callerName } from "../../identity.ts";
import type { Caller } from "../../identity.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";

const tag = "Unanswered questions";
const auth = "console";
const path = "/api/console/unanswered/";

const settling = (caller: Caller, id: string): Settling => ({
  organizationId: caller.organizationId,
  id,
  by: callerName(caller),
});

/** Questions that had no answer. */
export function unansweredRoutes(parts: TeachingParts): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listUnanswered",
      tag,
      summary: "List the questions that had no answer, grouped by what they mean",
      auth,
      query: { schema: unansweredQuerySchema, form: { numbers: ["limit"] } },
      answer: { status: 200, description: "The groups", schema: unansweredListSchema },
      handler: ({ caller: { organizationId }, query: { context, ...choice } }) =>
        listUnanswered(parts.store, { organizationId, contextUuid: context }, choice),
    }),
    operation({
      method: "POST",
      path: `${path}:question/teach/`,
      id: "teachAnswer",
      tag,
      summary: "Teach the answer to a group of questions; it goes into a document of the avatar",
      auth,
      body: { schema: teachSchema },
      answer: { status: 200, description: "What was taught", schema: taughtSchema },
      // Without its words, which are a visitor's.
      target: (_call, { group }) => ({ id: group.id }),
      handler: ({ params, caller, body }) => teachAnswer(parts, settling(caller, params.question), body),
    }),
    operation({
      method: "POST",
      path: `${path}:question/hide/`,
      id: "hideQuestions",
      tag,
      summary: "Hide a group of questions, and the same ones that come later",
      auth,
      answer: { status: 200, description: "The hidden group", schema: unansweredGroupSchema },
      handler: ({ params, caller }) => hideQuestions(parts, settling(caller, params.question)),
    }),
    operation({
      method: "POST",
      path: `${path}:question/restore/`,
      id: "reopenQuestions",
      tag,
      summary: "Undo teaching or hiding; the answer is removed from its document unless it was changed there",
      auth,
      answer: { status: 204, description: "The questions are open again" },
      handler: ({ params, caller }) => reopenQuestions(parts, settling(caller, params.question)),
    }),
  ];
}
