import * as z from "zod";
import type { PageQuery } from "../../../protocol/paging.ts";
import { Fault } from "../../fault.ts";
import type { PageRequest } from "../../store/store.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpContext } from "../http-environment.ts";

/** What a cursor holds: the list that it belongs to, and the place after which the page begins. */
const cursorSchema = z.tuple([z.string(), z.int().min(0)]);

function placeOf(list: string, cursor: string): number {
  const invalid = Fault.invalid("invalid", "This is not a cursor of this list.", "cursor");
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalid;
  }
  const place = cursorSchema.safeParse(value);
  if (!place.success || place.data[0] !== list) throw invalid;
  return place.data[1];
}

/** The page that a query asks for. Throws a Fault for a cursor that is not one of the list. */
export function requestedPage(list: string, { limit, cursor }: PageQuery): PageRequest {
  return { limit, after: cursor === undefined ? undefined : placeOf(list, cursor) };
}

/**
 * Names the next page in the answer's `Link` header (RFC 8288), relative to the request's address and with the request's
 * other parameters.
 */
export function linkNextPage(context: HttpContext, list: string, next: number): void {
  const query = new URL(context.req.url).searchParams;
  query.set("cursor", Buffer.from(JSON.stringify([list, next])).toString("base64url"));
  answerHeaders(context)["Link"] = `<?${query.toString()}>; rel="next"`;
}
