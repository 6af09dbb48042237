import type { Hono } from "hono";
import { consoleSessionSchema, loginSchema } from "../../protocol/console.ts";
import type { ConsoleSession } from "../../protocol/console.ts";
import type { Clock } from "../clock.ts";
import type { Counter } from "../counter.ts";
import type { Log } from "../log.ts";
import { Fault } from "../fault.ts";
import { isPassword } from "../operator-password.ts";
import type { Store } from "../store/store.ts";
import { AuthFault } from "./auth-fault.ts";
import type { ConsoleSessions } from "./console-session.ts";
import { loginPath } from "./login-device.ts";
import type { LoginDevices } from "./login-device.ts";
import { LoginGuard } from "./login-guard.ts";
import { operation } from "./operation.ts";
import { addressKey, showWindow } from "./rate-limit.ts";
import type { ClientAddress } from "./rate-limit.ts";
import { route } from "./routing.ts";
import { isMeant, requestSource } from "./same-origin.ts";
import { visit } from "./visit.ts";

interface ConsoleDependencies {
  store: Store;
  clock: Clock;
  sessions: ConsoleSessions;
  /** Browsers in which the operator has logged in. */
  devices: LoginDevices;
  counter: Counter;
  log: Log;
  clientAddress: ClientAddress;
  loginsPerMinute: number;
  /** Undefined: nobody can log in. */
  passwordHash: string | undefined;
  publicUrl: string;
}

const answer = {
  status: 200,
  description: "Who is logged in, and until when",
  schema: consoleSessionSchema,
} as const;

function loginRoute(app: Hono, dependencies: ConsoleDependencies): void {
  const { store, clock, sessions, devices, clientAddress } = dependencies;
  const { loginsPerMinute, passwordHash, publicUrl } = dependencies;
  const guard = new LoginGuard({ ...dependencies, attemptsPerMinute: loginsPerMinute });
  route(app, loginPath, {
    POST: operation(
      {
        id: "logIn",
        tag: "Console",
        summary: "Log in as the operator; sets the session cookie",
        access: "open",
        body: { schema: loginSchema },
        answer,
      },
      async ({ context, body }): Promise<ConsoleSession> => {
        // Another page could else log the operator in as somebody else.
        if (requestSource(context, publicUrl) === "foreign") throw Fault.forbidden();
        const source = { address: addressKey(context, clientAddress), device: await devices.of(context) };
        const outcome = await guard.attempt(
          source,
          async () => passwordHash !== undefined && (await isPassword(body.password, passwordHash)),
        );
        if (outcome.type === "wait") {
          const { resetAtMs } = outcome.window;
          const used = { resetAtMs, limit: loginsPerMinute, total: loginsPerMinute + 1 };
          showWindow(context, used, clock.nowMs());
          throw AuthFault.rateLimited();
        }
        if (outcome.type === "wrong") throw AuthFault.wrongPassword();
        const organization = await store.organizations.first();
        if (organization === null) throw Fault.server("There is no organization yet.");
        const { expiresAtMs } = await sessions.begin(context, organization.id);
        await devices.remember(context);
        return { organization, expires_at: new Date(expiresAtMs).toISOString() };
      },
    ),
  });
}

/** The console's own session. */
export function consoleRoutes(app: Hono, dependencies: ConsoleDependencies): void {
  const { store, sessions, publicUrl } = dependencies;
  loginRoute(app, dependencies);
  route(app, "/api/console/logout/", {
    POST: operation(
      {
        id: "logOut",
        tag: "Console",
        summary: "Log out; the cookie is worth nothing from then on",
        access: "open",
        answer: { status: 204, description: "Nobody is logged in any more" },
      },
      async ({ context }) => {
        const { identity } = visit(context);
        if (identity.by === "operator" && !isMeant(context, publicUrl)) throw Fault.forbidden();
        await sessions.end(context);
      },
    ),
  });
  route(app, "/api/console/session/", {
    GET: operation(
      {
        id: "retrieveConsoleSession",
        tag: "Console",
        summary: "Tell who is logged in",
        access: "open",
        answer,
      },
      async ({ context }): Promise<ConsoleSession> => {
        const { identity } = visit(context);
        if (identity.by !== "operator") throw AuthFault.invalid();
        const { organizationId, expiresAtMs } = identity.session;
        const first = await store.organizations.first();
        const name = first?.id === organizationId ? first.name : "";
        return {
          organization: { id: organizationId, name },
          expires_at: new Date(expiresAtMs).toISOString(),
        };
      },
    ),
  });
}
