import { parse } from "regexparam";

/** Where the console is: the part of the address after `#`. */
export interface Location {
  /** As `/avatars/3/look`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parts of a path that a route names with `:`. */
export type RouteParams = Readonly<Record<string, string>>;

/** The location in an address's fragment. */
export function locationOf(fragment: string): Location {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?");
  return { path: path.startsWith("/") ? path : "/", query: new URLSearchParams(query) };
}

/** The fragment that leads to a path, with a query whose empty values are left out. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(filled).toString();
  return text === "" ? `#${path}` : `#${path}?${text}`;
}

/** The first of these routes that matches the path, with the path's parameters. */
export function matchRoute<Route extends { readonly path: string }>(
  routes: readonly Route[],
  path: string,
): { route: Route; params: RouteParams } | null {
  for (const route of routes) {
    const { keys, pattern } = parse(route.path);
    const found = pattern.exec(path);
    if (!found) continue;
    const values = keys.map((key, index): [string, string] => [key, decoded(found[index + 1] ?? "")]);
    return { route, params: Object.fromEntries(values) };
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Asked before the console leaves a page. False: it stays. */
export type LeaveGuard = (to: Location) => boolean | Promise<boolean>;

/** The console's location in the browser's history. */
export class Router {
  readonly #listeners = new Set<(location: Location) => void>();
  #guard: LeaveGuard | null = null;
  #shown = location.hash;

  /** Begins to follow the browser's address. */
  start(): void {
    this.#shown = location.hash;
    addEventListener("hashchange", () => void this.#follow());
  }

  get location(): Location {
    return locationOf(this.#shown);
  }

  /** Calls back after each change of the location. */
  listen(listener: (location: Location) => void): void {
    this.#listeners.add(listener);
  }

  /** The page with unsaved changes asks before it is left; null: no page does. */
  guard(guard: LeaveGuard | null): void {
    this.#guard = guard;
  }

  /** Goes to a path. */
  go(path: string, query?: Readonly<Record<string, string | undefined>>): void {
    location.hash = linkTo(path, query);
  }

  /** Changes the address without an entry in the history: filters, open items. */
  replace(path: string, query?: Readonly<Record<string, string | undefined>>): void {
    history.replaceState(null, "", linkTo(path, query));
    this.#shown = location.hash;
    this.#tell();
  }

  async #follow(): Promise<void> {
    const target = location.hash;
    if (target === this.#shown) return;
    if (this.#guard) {
      const stay = this.#shown;
      // The old address stays until the question is answered.
      history.replaceState(null, "", stay || "#/");
      if (!(await this.#guard(locationOf(target)))) return;
      this.#guard = null;
      history.pushState(null, "", target);
    }
    this.#shown = target;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.location);
  }
}
