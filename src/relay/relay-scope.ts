import { withoutLastSlashes } from "../protocol/last-slashes.ts";
import { silentLogger } from "../logging/logger.ts";
import type { EmbedContext } from "../protocol/settings/embed-context.ts";
import { Admission } from "./sessions/admission.ts";
import { BackgroundPictures } from "./assets/background.ts";
import { type BuiltFiles, readBuiltFiles } from "./assets/built-files.ts";
import { Catalogue } from "./contexts/catalogue.ts";
import { ClientAddresses } from "./limits/client-addresses.ts";
import { ContextDirectory, serviceContexts } from "./contexts/context-directory.ts";
import type { Counter } from "../protocol/counter.ts";
import { MemoryCounter } from "./limits/memory-counter.ts";
import { ExpiringCache } from "./contexts/caches.ts";
import { FatalOffers } from "./sessions/fatal-offers.ts";
import { isOriginAllowed, normalizedOrigin } from "../origins/origin-policy.ts";
import { PageReports } from "./contexts/page-reports.ts";
import { RelayError } from "./relay-error.ts";
import { withPhotos } from "./assets/photo-assets.ts";
import { defaultRelayLimits, type RelayDeps, type RelayLimits } from "./relay-deps.ts";
import { readSessionRecord } from "./sessions/live-places.ts";
import { type SessionClaims, SessionTokens } from "./sessions/session-token.ts";

/** After this time, in ms, the build is read again, so that a rebuild needs no restart. */
const builtFilesTtlMs = 2_000;

const minuteMs = 60_000;

/** What the relay's routes share. Made once from the relay's dependencies. */
export class RelayScope {
  readonly deps: Required<Pick<RelayDeps, "service" | "assets" | "clock" | "log" | "defaults" | "direct">>;
  readonly catalogue: Catalogue;
  readonly pictures: BackgroundPictures;
  readonly tokens: SessionTokens;
  readonly admission: Admission;
  readonly contexts: ContextDirectory;
  readonly fatalOffers: FatalOffers;
  readonly #pageReports: PageReports;
  readonly #publicUrl: URL | null;
  readonly #builtFiles: ExpiringCache<BuiltFiles>;
  readonly #addresses: ClientAddresses;
  readonly #counter: Counter;
  readonly #limits: RelayLimits;

  constructor(deps: RelayDeps) {
    const clock = deps.clock ?? Date;
    this.deps = {
      service: deps.service,
      assets: withPhotos(deps.assets, { service: deps.service, clock }),
      clock,
      log: deps.log ?? silentLogger,
      defaults: deps.defaults ?? { llmType: "visavis-retrieval" },
      direct: deps.direct ?? true,
    };
    this.catalogue = new Catalogue({ ...deps, clock });
    this.pictures = new BackgroundPictures(deps);
    this.tokens = new SessionTokens(deps.tokenSecret, clock);
    const limits = { ...defaultRelayLimits, ...deps.limits };
    const counter = deps.counter ?? new MemoryCounter(() => clock.now());
    this.admission = new Admission({
      counter,
      limits,
      clock,
      readRecord: (sessionId) => readSessionRecord(deps.service, sessionId),
    });
    const source = deps.contexts ?? serviceContexts(deps.service);
    this.contexts = new ContextDirectory({ source, counter, clock });
    this.#pageReports = new PageReports(this.deps);
    this.fatalOffers = new FatalOffers(counter, clock);
    this.#limits = limits;
    this.#counter = counter;
    this.#publicUrl = deps.publicUrl === undefined ? null : new URL(deps.publicUrl);
    this.#builtFiles = new ExpiringCache({ ttlMs: builtFilesTtlMs, maxEntries: 1, now: () => clock.now() });
    this.#addresses = new ClientAddresses(deps.tokenSecret, deps.clientAddress);
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
    return withoutLastSlashes(this.#publicUrl?.pathname ?? "");
  }

  /** The name of a request's address (`ClientAddresses`); null if the address is unknown. */
  addressOf(request: Request, environment: unknown): Promise<string | null> {
    return this.#addresses.nameOf(request, environment);
  }

  /** Counts a read that needs no session. @throws RelayError rate_limited (429). */
  async countRead(request: Request, environment: unknown): Promise<void> {
    const address = await this.addressOf(request, environment);
    if (address === null) return;
    const limit = this.#limits.readsPerMinutePerAddress;
    const { total, resetAtMs } = await this.#counter.add(`read:address:${address}`, 1, minuteMs);
    if (total > limit) throw RelayError.rateLimited(limit, resetAtMs, this.deps.clock.now());
  }

  /**
   * The origin of the requesting page. Browsers omit it only in same-origin reads, so a read without one comes from the
   * relay's own page. A page that the browser marks as same-origin is the relay's own too.
   */
  requestOrigin(request: Request): string | null {
    if (request.headers.get("sec-fetch-site") === "same-origin") return this.ownOrigin(request);
    const header = request.headers.get("origin");
    if (header !== null) return normalizedOrigin(header);
    return request.method === "GET" || request.method === "HEAD" ? this.ownOrigin(request) : null;
  }

  /**
   * Whether pages of an origin may show a context. The service is told that such a page asked, unless it is the relay's own. The
   * loader asks for the launcher as soon as its page is there, whatever the visitor does.
   */
  admitsPage(request: Request, context: EmbedContext, origin: string | null): boolean {
    const own = this.ownOrigin(request);
    const allowed = origin !== null && isOriginAllowed(context, origin, own);
    if (origin !== null && origin !== own) this.#pageReports.note(context, origin, allowed);
    return allowed;
  }

  /** @throws RelayError context_not_found, rate_limited, engine_failed. */
  async context(request: Request, environment: unknown, contextId: string): Promise<EmbedContext> {
    const context = await this.contexts.find(contextId, await this.addressOf(request, environment));
    if (!context) throw RelayError.contextNotFound();
    return context;
  }

  /**
   * The context and the requesting page's origin, if the page may use the context.
   *
   * @throws RelayError context_not_found, origin_not_allowed, context_inactive, rate_limited, engine_failed.
   */
  async admittedContext(
    request: Request,
    environment: unknown,
    contextId: string,
  ): Promise<{ context: EmbedContext; origin: string }> {
    const origin = this.requestOrigin(request);
    const context = await this.#contextFor(request, environment, { contextId, origin });
    // A browser may have kept the launcher from before its page was allowed: then this is the first that is heard of it.
    if (!this.admitsPage(request, context, origin) || origin === null) {
      throw RelayError.originNotAllowed(origin);
    }
    if (!context.is_active) throw RelayError.contextInactive();
    return { context, origin };
  }

  /** The context, asked for again if it would refuse the page. */
  async #contextFor(
    request: Request,
    environment: unknown,
    { contextId, origin }: { contextId: string; origin: string | null },
  ): Promise<EmbedContext> {
    const context = await this.context(request, environment, contextId);
    const own = this.ownOrigin(request);
    if (origin === null || (context.is_active && isOriginAllowed(context, origin, own))) return context;
    return (await this.contexts.getBeforeRefusal(contextId)) ?? context;
  }

  /**
   * Why a session's page may no longer use its context: the context was switched off or deleted, or no longer allows the
   * origin. Null while the page may use it, and while the service is not reachable.
   */
  async revocation(request: Request, { contextId, origin }: SessionClaims): Promise<RelayError | null> {
    const context = await this.#knownContext(contextId);
    if (context === undefined) return null;
    if (context === null) return RelayError.contextNotFound();
    if (!context.is_active) return RelayError.contextInactive();
    return isOriginAllowed(context, origin, this.ownOrigin(request))
      ? null
      : RelayError.originNotAllowed(origin);
  }

  /** How much of the context's minutes of today is left for its sessions, in ms; null without a limit. */
  async dayLeftMs({ contextId }: SessionClaims): Promise<number | null> {
    const context = await this.#knownContext(contextId);
    return context ? this.admission.dayLeftMs(context) : null;
  }

  /** The context; null if it was deleted, undefined while the service is not reachable. */
  #knownContext(contextId: string): Promise<EmbedContext | null | undefined> {
    return this.contexts.get(contextId).catch(() => undefined);
  }
}
