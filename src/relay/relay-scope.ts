import type { EmbedContext } from "../protocol/embed-context.ts";
import { Admission } from "./admission.ts";
import { BackgroundPictures } from "./background.ts";
import { readBuiltFiles, type BuiltFiles } from "./built-files.ts";
import { Catalogue } from "./catalogue.ts";
import { serviceContexts } from "./context-source.ts";
import { MemoryCounter } from "./counter.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { isOriginAllowed, normalizedOrigin } from "./origin-policy.ts";
import { RelayError } from "./relay-error.ts";
import { defaultRelayLimits, type RelayDeps, type RelayLog } from "./relay-deps.ts";
import { SessionTokens } from "./session-token.ts";

const silentLog: RelayLog = { info: () => undefined, warn: () => undefined };

/** The build is looked up again after so long, in ms: a rebuild shows without a restart. */
const builtFilesTtlMs = 2_000;

/** What the relay's routes share, made once from its dependencies. */
export class RelayScope {
  readonly deps: Required<
    Pick<RelayDeps, "service" | "contexts" | "assets" | "clock" | "log" | "defaults" | "direct">
  >;
  readonly catalogue: Catalogue;
  readonly pictures: BackgroundPictures;
  readonly tokens: SessionTokens;
  readonly admission: Admission;
  readonly #publicUrl: URL | null;
  readonly #builtFiles: ExpiringCache<BuiltFiles>;
  readonly #clientAddress: NonNullable<RelayDeps["clientAddress"]>;

  constructor(deps: RelayDeps) {
    const clock = deps.clock ?? Date;
    this.deps = {
      service: deps.service,
      contexts: deps.contexts ?? serviceContexts(deps.service, clock),
      assets: deps.assets,
      clock,
      log: deps.log ?? silentLog,
      defaults: deps.defaults ?? { llmType: "visavis-retrieval" },
      direct: deps.direct ?? true,
    };
    this.catalogue = new Catalogue({ ...deps, clock });
    this.pictures = new BackgroundPictures(deps);
    this.tokens = new SessionTokens(deps.tokenSecret, clock);
    const limits = { ...defaultRelayLimits, ...deps.limits };
    this.admission = new Admission(deps.counter ?? new MemoryCounter(() => clock.now()), limits, clock);
    this.#publicUrl = deps.publicUrl === undefined ? null : new URL(deps.publicUrl);
    this.#builtFiles = new ExpiringCache({ ttlMs: builtFilesTtlMs, maxEntries: 1, now: () => clock.now() });
    this.#clientAddress = (request, environment) => deps.clientAddress?.(request, environment) ?? null;
  }

  builtFiles(): Promise<BuiltFiles> {
    return this.#builtFiles.get("built", () => readBuiltFiles(this.deps.assets));
  }

  /** The relay's own origin, as browsers know it. */
  ownOrigin(request: Request): string {
    return (this.#publicUrl ?? new URL(request.url)).origin;
  }

  /** The absolute address of a path under the relay. */
  address(request: Request, path: string): string {
    return `${this.ownOrigin(request)}${this.mountPath()}/${path}`;
  }

  /** The path under which the relay is mounted, without a slash at its end. */
  mountPath(): string {
    return (this.#publicUrl?.pathname ?? "").replace(/\/+$/, "");
  }

  clientAddress(request: Request, environment: unknown): string | null {
    return this.#clientAddress(request, environment);
  }

  /**
   * The origin of the page that asks. Browsers leave it out of same-origin reads only, so a read without one counts
   * as the relay's own page; a page that the browser calls same-origin is the relay's own under whatever name.
   */
  requestOrigin(request: Request): string | null {
    if (request.headers.get("sec-fetch-site") === "same-origin") return this.ownOrigin(request);
    const header = request.headers.get("origin");
    if (header !== null) return normalizedOrigin(header);
    return request.method === "GET" || request.method === "HEAD" ? this.ownOrigin(request) : null;
  }

  /** @throws RelayError context_not_found. */
  async context(contextId: string): Promise<EmbedContext> {
    const context = await this.deps.contexts.get(contextId);
    if (!context) throw RelayError.contextNotFound();
    return context;
  }

  /**
   * The context, where the asking page may use it, with that page's origin.
   *
   * @throws RelayError context_not_found, origin_not_allowed, context_inactive.
   */
  async admittedContext(
    request: Request,
    contextId: string,
  ): Promise<{ context: EmbedContext; origin: string }> {
    const origin = this.requestOrigin(request);
    const context = await this.context(contextId);
    if (origin === null || !isOriginAllowed(context, origin, this.ownOrigin(request))) {
      throw RelayError.originNotAllowed(origin);
    }
    if (!context.is_active) throw RelayError.contextInactive();
    return { context, origin };
  }
}
