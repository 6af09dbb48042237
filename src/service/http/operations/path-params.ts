import type { HttpContext } from "../http-environment.ts";

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path in Hono's form, `/session/:session/`. They are texts: what they name is the store's business. */
export type PathParams<Path extends string> = Readonly<Record<ParamName<Path>, string>>;

/** The names of a path's parameters in their order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => name);
}

/** Reads the parameters of requests to a path. */
export function paramReader<Path extends string>(path: Path): (context: HttpContext) => PathParams<Path> {
  const names = paramNames(path);
  return (context) =>
    // eslint-disable-next-line no-restricted-syntax -- the names are those that the type reads from the same path
    Object.fromEntries(names.map((name) => [name, context.req.param(name) ?? ""])) as PathParams<Path>;
}
