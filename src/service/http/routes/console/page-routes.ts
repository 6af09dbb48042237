import {
  type ContextPage as PageView,
  contextPagesSchema,
  pageReportSchema,
} from "../../../../protocol/console/avatars.ts";
import { isOriginAllowed, normalizedOrigin } from "../../../../origins/origin-policy.ts";
import { namedContext } from "../../../administration/contexts/contexts.ts";
import { Fault } from "../../../faults/fault.ts";
import type { ContextPage } from "../../../store/store.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import type { AvatarAccess } from "./avatar-routes.ts";
import { isoTime } from "./console-access.ts";

const tag = "Avatars";
const path = "/api/console/contexts/:context/pages/";

function pageView(page: ContextPage): PageView {
  return {
    origin: page.origin,
    was_allowed: page.wasAllowed,
    first_seen_at: isoTime(page.firstSeenAtMs),
    last_seen_at: isoTime(page.lastSeenAtMs),
  };
}

function arrival(pages: readonly ContextPage[]): { origin: string; at: string } | null {
  const came = pages.flatMap(({ origin, firstAllowedAtMs }) =>
    firstAllowedAtMs === null ? [] : [{ origin, atMs: firstAllowedAtMs }],
  );
  const first = came.sort((one, other) => one.atMs - other.atMs)[0];
  return first ? { origin: first.origin, at: isoTime(first.atMs) } : null;
}

/** The sites whose pages load an avatar: what relays report, and what the console shows of it. */
export function pageRoutes({ store, clock, publicUrl }: AvatarAccess): Operation[] {
  const ownOrigin = new URL(publicUrl).origin;
  return [
    operation({
      method: "GET",
      path,
      id: "listContextPages",
      tag,
      summary: "List the sites whose pages loaded an avatar, or tried to",
      auth: "console",
      answer: { status: 200, description: "The sites", schema: contextPagesSchema },
      async handler({ params, caller }) {
        const context = await namedContext(store, caller.organizationId, params.context);
        const pages = await store.contextPages.list(context.id);
        // By the current list: a site that was added since then is no longer refused.
        const mayShow = ({ origin }: ContextPage) =>
          isOriginAllowed({ embed_config: context.config }, origin, ownOrigin);
        return {
          arrived: arrival(pages),
          allowed: pages.filter(mayShow).map(pageView),
          refused: pages.filter((page) => !mayShow(page)).map(pageView),
        };
      },
    }),
    operation({
      method: "POST",
      path,
      id: "reportContextPage",
      tag,
      summary: "Report that a page loaded an avatar, or was refused; relays do",
      auth: "key",
      body: { schema: pageReportSchema, form: { booleans: ["allowed"] } },
      answer: { status: 204, description: "It is noted" },
      async handler({ params, caller, body: { origin: given, allowed } }) {
        const { id } = await namedContext(store, caller.organizationId, params.context);
        const origin = normalizedOrigin(given);
        if (origin === null) throw Fault.invalid("invalid", "This is not an origin of a page.", "origin");
        await store.contextPages.note(id, { origin, allowed }, clock.nowMs());
      },
    }),
  ];
}
