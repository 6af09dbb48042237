import { once } from "node:events";
import packageJson from "../package.json" with { type: "json" };
import { ask, pinning, spawnPinned } from "./pinned.ts";
import { timesRow, type Row, type Table } from "./table.ts";

const conversations = 100_000;
const pageSize = 50;
const requests = 40;

const benchApiKey = "vv_bench_key_0123456789";

/** The Node flags of `npm start`. */
const nodeFlags = packageJson.scripts.start.split(" ").filter((word) => word.startsWith("--"));

/** Filters of the console's list, one by one and together. */
const filters: Readonly<Record<string, string>> = {
  "first page": "",
  "one avatar": "context={context}",
  "last 7 days": "from={week}",
  "did not help": "did_not_help=true",
  "without an answer": "unanswered=true",
  "ended by an error": "ended=error",
  "all filters": "context={context}&from={week}&ended=visitor&unanswered=true",
};

async function timed(address: string): Promise<{ ms: number; next: string | null }> {
  const startedMs = performance.now();
  const response = await fetch(address, { headers: { "ServicePlatform-APIKey": benchApiKey } });
  await response.json();
  const ms = performance.now() - startedMs;
  if (!response.ok) throw new Error(`${address} answers with ${response.status}.`);
  const next = /<([^>]*)>\s*;[^,]*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
  return { ms, next };
}

/** Pages through a list from its beginning. */
async function paged(first: string): Promise<number[]> {
  const times: number[] = [];
  let address = first;
  while (times.length < requests) {
    const { ms, next } = await timed(address);
    times.push(ms);
    address = next === null ? first : new URL(next, address).href;
  }
  return times;
}

/** How long a page of the console's conversations takes where there are 100,000 of them. */
export async function benchConversations(): Promise<Table[]> {
  const child = spawnPinned("service-server.ts", 0, ["service", benchApiKey], nodeFlags);
  try {
    const [{ port, prompt }] = (await once(child, "message")) as [{ port: number; prompt: string }];
    await ask(child, { type: "conversations", count: conversations });
    const origin = `http://127.0.0.1:${port}`;
    const week = encodeURIComponent(new Date(Date.now() - 7 * 86_400_000).toISOString());
    const rows: Row[] = [];
    for (const [name, filter] of Object.entries(filters)) {
      const query = filter.replace("{context}", prompt).replace("{week}", week);
      const first = `${origin}/api/console/conversations/?limit=${pageSize}${query && `&${query}`}`;
      await timed(first);
      rows.push(timesRow(name, await paged(first)));
    }
    const title = `Pages of ${pageSize} of ${conversations.toLocaleString("en")} conversations, ms over HTTP (${pinning})`;
    return [{ title, rows }];
  } finally {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
}
