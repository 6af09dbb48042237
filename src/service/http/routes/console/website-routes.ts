import {
  websiteChangeSchema,
  websiteCreateSchema,
  websiteLeaveOutSchema,
  websiteListSchema,
  websiteSchema,
} from "../../../../protocol/console/websites.ts";
import {
  addWebsite,
  changeWebsite,
  leaveOutPage,
  listWebsites,
  readAgain,
  removeWebsite,
  stopReading,
} from "../../../administration/knowledge/website/websites.ts";
import type { WebsiteParts } from "../../../administration/knowledge/website/websites.ts";
import { callerName } from "../../identity.ts";
import type { Caller } from "../../identity.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";

const tag = "Knowledge";
const auth = "console";
const path = "/api/console/websites/";
const onePath = "/api/console/websites/:website/";

const oneWebsite = { status: 200, description: "The website", schema: websiteSchema } as const;
const named = (_call: unknown, { id, address }: { id: string; address: string }) => ({ id, name: address });
const editOf = (caller: Caller) => ({ organizationId: caller.organizationId, by: callerName(caller) });

function readingRoutes(parts: WebsiteParts): Operation[] {
  return [
    operation({
      method: "POST",
      path: `${onePath}read/`,
      id: "readWebsite",
      tag,
      summary: "Read a website again now",
      auth,
      answer: oneWebsite,
      target: named,
      handler: ({ params, caller: { organizationId } }) => readAgain(parts, organizationId, params.website),
    }),
    operation({
      method: "POST",
      path: `${onePath}leave-out/`,
      id: "leaveOutPage",
      tag,
      summary: "Leave out a page that was read, now and whenever the website is read again",
      auth,
      body: { schema: websiteLeaveOutSchema },
      answer: oneWebsite,
      target: named,
      handler: ({ params, caller: { organizationId }, body: { path: page } }) =>
        leaveOutPage(parts, organizationId, params.website, page),
    }),
    operation({
      method: "POST",
      path: `${onePath}stop/`,
      id: "stopWebsite",
      tag,
      summary: "Stop the reading of a website; what was read before stays",
      auth,
      answer: oneWebsite,
      target: named,
      handler: ({ params, caller: { organizationId } }) => stopReading(parts, organizationId, params.website),
    }),
  ];
}

/** Websites that avatars answer from. */
export function websiteRoutes(parts: WebsiteParts): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listWebsites",
      tag,
      summary: "List the websites that avatars answer from, with how far they are read and what was left out",
      auth,
      answer: { status: 200, description: "The websites", schema: websiteListSchema },
      handler: ({ caller: { organizationId } }) => listWebsites(parts, organizationId),
    }),
    operation({
      method: "POST",
      path,
      id: "addWebsite",
      tag,
      summary:
        "Read a website or the pages of a sitemap into a document; the list of websites tells how far it is",
      auth,
      body: { schema: websiteCreateSchema },
      answer: { ...oneWebsite, status: 201 },
      target: named,
      handler: ({ caller, body }) => addWebsite(parts, editOf(caller), body),
    }),
    operation({
      method: "PUT",
      path: onePath,
      id: "changeWebsite",
      tag,
      summary: "Change how often a website is read, and which of its pages; with others, it is read again",
      auth,
      body: { schema: websiteChangeSchema },
      answer: oneWebsite,
      target: named,
      handler: ({ params, caller: { organizationId }, body }) =>
        changeWebsite(parts, organizationId, params.website, body),
    }),
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteWebsite",
      tag,
      summary: "Delete a website with its document; for 30 s the document can be restored with it",
      auth,
      answer: { status: 204, description: "It was deleted" },
      handler: ({ params, caller }) => removeWebsite(parts, editOf(caller), params.website),
    }),
    ...readingRoutes(parts),
  ];
}
