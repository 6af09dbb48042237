import type { EmbedContext } from "../protocol/embed-context.ts";
import { Admission } from "./admission.ts";
import { BackgroundPictures } from "./background.ts";
import { readBuiltFiles, type BuiltFiles } from "./built-files.ts";
import { Catalogue } from "./catalogue.ts";
import { ClientAddresses } from "./client-addresses.ts";
import { ContextDirectory } from "./context-directory.ts";
import { serviceContexts } from "./context-source.ts";
import { MemoryCounter, type Counter } from "./counter.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { FatalOffers } from "./fatal-offers.ts";
import { isOriginAllowed, normalizedOrigin } from "./origin-policy.ts";
import { RelayError } from "./relay-error.ts";
import { defaultRelayLimits, type RelayDeps, type RelayLimits, type RelayLog } from "./relay-deps.ts";
import { readSessionRecord } from "./session-record.ts";
import { SessionTokens, type SessionClaims } from "./session-token.ts";

const silentLog: RelayLog = { info: () => undefined, warn: () => undefined };

/** The build is looked up again after so long, in ms: a rebuild shows without a restart. */
const builtFilesTtlMs = 2_000;

const minuteMs = 60_000;

/** What the relay's routes share, made once from its dependencies. */
export class RelayScope {
  readonly deps: Required<Pick<RelayDeps, "service" | "assets" | "clock" | "log" | "defaults" | "direct">>;
  readonly catalogue: Catalogue;
  readonly pictures: BackgroundPictures;
  readonly tokens: SessionTokens;
  readonly admission: Admission;
  readonly contexts: ContextDirectory;
  readonly fatalOffers: FatalOffers;
  readonly #publicUrl: URL | null;
  readonly #builtFiles: ExpiringCache<BuiltFiles>;
  readonly #addresses: ClientAddresses;
  readonly #counter: Counter;
  readonly #limits: RelayLimits;

  constructor(deps: RelayDeps) {
    const clock = deps.clock ?? Date;
    this.deps = {
      service: deps.service,
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
    const counter = deps.counter ?? new MemoryCounter(() => clock.now());
    this.admission = new Admission({
      counter,
      limits,
      clock,
      readRecord: (sessionId) => readSessionRecord(deps.service, sessionId),
    });
    const source = deps.contexts ?? serviceContexts(deps.service);
    this.contexts = new ContextDirectory({ source, counter, clock });
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
    return (this.#publicUrl?.pathname ?? "").replace(/\/+$/, "");
  }

  /** A name for the address that a request comes from (`ClientAddresses`); null where it cannot be told. */
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
   * The origin of the page that asks. Browsers leave it out of same-origin reads only, so a read without one counts
   * as the relay's own page; a page that the browser calls same-origin is the relay's own under whatever name.
   */
  requestOrigin(request: Request): string | null {
    if (request.headers.get("sec-fetch-site") === "same-origin") return this.ownOrigin(request);
    const header = request.headers.get("origin");
    if (header !== null) return normalizedOrigin(header);
    return request.method === "GET" || request.method === "HEAD" ? this.ownOrigin(request) : null;
  }

  /** @throws RelayError context_not_found, rate_limited, engine_failed. */
  async context(request: Request, environment: unknown, contextId: string): Promise<EmbedContext> {
    const context = await this.contexts.find(contextId, await this.addressOf(request, environment));
    if (!context) throw RelayError.contextNotFound();
    return context;
  }

  /**
   * The context, where the asking page may use it, with that page's origin.
   *
   * @throws RelayError context_not_found, origin_not_allowed, context_inactive, rate_limited, engine_failed.
   */
  async admittedContext(
    request: Request,
    environment: unknown,
    contextId: string,
  ): Promise<{ context: EmbedContext; origin: string }> {
    const origin = this.requestOrigin(request);
    const context = await this.context(request, environment, contextId);
    if (origin === null || !isOriginAllowed(context, origin, this.ownOrigin(request))) {
      throw RelayError.originNotAllowed(origin);
    }
    if (!context.is_active) throw RelayError.contextInactive();
    return { context, origin };
  }

  /**
   * Why a session's page may no longer use its context: it was switched off or deleted, or lost the origin. Null while it
   * may, and while nobody can tell.
   */
  async revocation(request: Request, { contextId, origin }: SessionClaims): Promise<RelayError | null> {
    const context = await this.contexts.get(contextId).catch(() => undefined);
    if (context === undefined) return null;
    if (context === null) return RelayError.contextNotFound();
    if (!context.is_active) return RelayError.contextInactive();
    return isOriginAllowed(context, origin, this.ownOrigin(request))
      ? null
      : RelayError.originNotAllowed(origin);
  }
}
