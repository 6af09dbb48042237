/**
 * Lets each request of the tests themselves have a connection of its own. Servers of Node.js, such as those that tests start, close one that nobody has used for five seconds; a
 * process that a busy machine has kept waiting does not know of that yet, and its next request on it fails ("other side closed").
 */
export function useFreshConnections(): void {
  const { fetch: native } = globalThis;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set("connection", "close");
    return native(input, { ...init, headers });
  };
}
