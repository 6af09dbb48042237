import { createHttpApp, type HttpDependencies } from "../src/service/http/http-app.ts";
import { openApiDocument, type OpenApiDocument } from "../src/service/http/openapi/openapi-document.ts";
import { defaultServiceSettings } from "../src/service/service-settings.ts";

/** `/openapi.json`, from a service without a store. */
export function interfaceDescription(): OpenApiDocument {
  const publicUrl = "https://relay.example";
  const { operations } = createHttpApp({
    // Descriptions of operations need nothing of what their handlers need.
    ...({} as HttpDependencies),
    store: {} as never,
    settings: { ...defaultServiceSettings, publicUrl, publicFolder: "/" },
  });
  return openApiDocument(operations, publicUrl);
}

/** An operation in the document, as far as its line shows. */
interface Described {
  tags: string[];
  summary: string;
  security: Record<string, unknown>[];
}

const key = "a key";

/** Areas of what only the console calls, before and after its login. */
const consoleAreas = new Set(["Console", "Accounts"]);

/** Who may call, by the credentials that the document names. Null for what only the console calls. */
function callers(security: Described["security"]): string | null {
  const schemes = security.map((scheme) => Object.keys(scheme)[0]);
  if (schemes.length === 0) return "everyone";
  if (schemes.includes(undefined)) return "whoever knows the session's id";
  if (!schemes.includes("ServicePlatformApiKey")) return null;
  return key;
}

const place = /(<!-- operations: npm run docs:operations -->\n)[^]*/;

/** The page with a list of the operations that others than the console may call, by area and caller. */
export function withOperations(page: string, { paths }: OpenApiDocument): string {
  if (!place.test(page)) throw new Error("The page has no marker for the operations.");
  const areas = new Map<string, Map<string, string[]>>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods)) {
      const { tags, summary, security } = described as Described;
      const caller = callers(security);
      if (caller === null || consoleAreas.has(tags[0] ?? "")) continue;
      const area = areas.get(tags[0] ?? "") ?? new Map<string, string[]>();
      const lines = area.get(caller) ?? [];
      lines.push(`- \`${method.toUpperCase()} ${path}\`: ${summary}`);
      areas.set(tags[0] ?? "", area.set(caller, lines));
    }
  // What a key may call comes first, without saying so.
  const blocks = [...areas].flatMap(([area, byCaller]) => [
    `## ${area}`,
    ...[...byCaller]
      .sort(([one], [other]) => Number(other === key) - Number(one === key))
      .flatMap(([caller, lines]) => [...(caller === key ? [] : [`For ${caller}:`]), lines.join("\n")]),
  ]);
  return page.replace(place, (_, marker: string) => `${marker}\n${blocks.join("\n\n")}\n`);
}
