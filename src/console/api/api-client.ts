import * as z from "zod";
import { ApiError, errorOf } from "./api-error.ts";

/** Parameters of a query; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to the server, by its path below the server's root. */
export interface ApiRequest<Schema extends z.core.$ZodType | undefined> {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Query;
  /** The media type of the answer. Default: JSON. */
  accept?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is: files. */
  form?: FormData;
  /** Parses the answer; without it the answer is dropped. */
  schema?: Schema;
  signal?: AbortSignal;
  /** A 401 is an answer like any other: nobody is asked to sign in. */
  isGuest?: boolean;
}

/** A page of a list, and where the next one begins. */
export interface ListPage<Item> {
  items: Item[];
  /** The cursor of the next page; null: this is the last one. */
  next: string | null;
}

/** What the client needs from its environment. */
export interface ApiClientParts {
  fetch: typeof fetch;
  /** The address that paths are relative to. */
  origin: string;
  /** Called at a 401. The request is sent again when it resolves with true. */
  signInAgain: () => Promise<boolean>;
}

type Answer<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : undefined;

/** The address of a path with its query. */
export function addressOf(origin: string, path: string, query: Query = {}): string {
  const url = new URL(path, origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** The cursor in the `Link` header of a page; null without a next page. */
function nextCursor(headers: Headers, base: string): string | null {
  for (const link of (headers.get("link") ?? "").split(",")) {
    const target = /<([^<>]*)>\s*;[^,]*rel="?next"?/.exec(link)?.[1];
    if (target !== undefined) return new URL(target, base).searchParams.get("cursor");
  }
  return null;
}

/** The server's HTTP interface with the session cookie. Every answer is parsed; every failure is an ApiError. */
export class ApiClient {
  readonly #parts: ApiClientParts;

  constructor(parts: ApiClientParts) {
    this.#parts = parts;
  }

  /** Sends a request and parses its answer. Throws ApiError. */
  async request<Schema extends z.core.$ZodType | undefined = undefined>(
    path: string,
    request: ApiRequest<Schema> = {},
  ): Promise<Answer<Schema>> {
    const response = await this.#send(path, request);
    return this.#parsed(response, request.schema);
  }

  /** Reads one page of a list. Throws ApiError. */
  async page<Item>(
    path: string,
    request: ApiRequest<z.core.$ZodType<Item[]>> & { schema: z.core.$ZodType<Item[]> },
  ): Promise<ListPage<Item>> {
    const response = await this.#send(path, request);
    const items = await this.#parsed(response, request.schema);
    return { items, next: nextCursor(response.headers, this.#parts.origin) };
  }

  /** Reads a file. Throws ApiError. */
  async file(path: string, request: ApiRequest<undefined> = {}): Promise<Blob> {
    const response = await this.#send(path, { accept: "*/*", ...request });
    return response.blob().catch((error: unknown) => {
      throw ApiError.network(error);
    });
  }

  async #parsed<Schema extends z.core.$ZodType | undefined>(
    response: Response,
    schema: Schema | undefined,
  ): Promise<Answer<Schema>> {
    // The conditional type does not narrow with the argument; both branches return what it says.
    if (schema === undefined) return undefined as Answer<Schema>;
    const body: unknown = await response.json().catch((error: unknown) => {
      throw ApiError.unreadable(error);
    });
    const parsed = z.safeParse(schema, body);
    if (!parsed.success) throw ApiError.unreadable(parsed.error);
    return parsed.data as Answer<Schema>;
  }

  async #send(path: string, request: ApiRequest<z.core.$ZodType | undefined>): Promise<Response> {
    const response = await this.#once(path, request);
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.code !== "expired" || request.isGuest) throw error;
    // The server did nothing, so the same request can be sent again, with what was typed.
    if (!(await this.#parts.signInAgain())) throw error;
    const again = await this.#once(path, request);
    if (!again.ok) throw await errorOf(again);
    return again;
  }

  async #once(path: string, request: ApiRequest<z.core.$ZodType | undefined>): Promise<Response> {
    const { method = "GET", query, accept = "application/json", body, form, signal } = request;
    const address = addressOf(this.#parts.origin, path, query);
    try {
      return await this.#parts.fetch(address, {
        method,
        credentials: "same-origin",
        headers: {
          Accept: accept,
          // A header that a form of another site cannot send.
          "X-Requested-With": "visavis-console",
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw ApiError.network(error);
    }
  }
}
