import { createServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createGuardedFetch } from "../../../src/service/outbound/guarded-fetch.ts";
import { isCallable } from "../../../src/service/outbound/outbound-address.ts";
import { listening, serve } from "../../local-server.ts";
import { hasOpenssl, selfSigned } from "./self-signed.ts";

/** Calls that may go to this machine. */
const open = createGuardedFetch({ allowPrivate: true });

const urlOf = (port: number): string => `http://127.0.0.1:${port}/`;
const textOf = async (port: number, path = "", request = {}): Promise<string> =>
  (await open(urlOf(port) + path, request)).text();
const rejects = (call: Promise<unknown>, code: string): Promise<void> =>
  expect(call).rejects.toMatchObject({ code });

/** Names that all have these addresses. */
const resolvesTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: 4 })));

describe("addresses", () => {
  test.each([
    ["always", true, true, ["8.8.8.8", "2606:4700::1111", "172.32.0.1", "100.128.0.1"]],
    ["where private networks are allowed", false, true, ["127.0.0.1", "10.1.2.3", "172.31.255.255"]],
    ["where private networks are allowed", false, true, ["192.168.1.1", "100.64.0.1", "fd12::1"]],
    ["where private networks are allowed", false, true, ["::1", "0:0:0:0:0:0:0:1"]],
    ["never", false, false, ["169.254.169.254", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "localhost"]],
    ["never", false, false, ["0.0.0.0", "::", "255.255.255.255", "224.0.0.1", "64:ff9b::7f00:1"]],
    ["never", false, false, ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "2002:7f00:1::"]],
  ])("callable %s, alone %s, with private networks %s: %j", (_when, isOpen, isAllowed, addresses) => {
    for (const address of addresses)
      expect([isCallable(address, false), isCallable(address, true)], address).toEqual([isOpen, isAllowed]);
  });

  test.each([
    ["https://127.0.0.1/", "forbidden_address"],
    ["https://2130706433/", "forbidden_address"],
    ["https://0x7f.1/", "forbidden_address"],
    ["https://[::1]/", "forbidden_address"],
    ["https://[::ffff:127.0.0.1]/", "forbidden_address"],
    ["https://169.254.169.254/latest/meta-data/", "forbidden_address"],
    ["https://localhost/", "forbidden_address"],
    ["http://example.com/", "insecure_url"],
    ["file:///etc/passwd", "insecure_url"],
    ["no address", "invalid_url"],
    ["https://user:secret@example.com/", "invalid_url"],
  ])("%s is refused as %s before anything is connected", async (url, code) => {
    await rejects(createGuardedFetch()(url), code);
  });

  test("a name is refused if one of its addresses is private, or if it has none", async () => {
    const trap = createGuardedFetch({ resolve: resolvesTo("8.8.8.8", "10.0.0.1") });
    await rejects(trap("https://trap.example/"), "forbidden_address");
    const nowhere = createGuardedFetch({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    await rejects(nowhere("https://nowhere.example/"), "not_resolved");
  });

  test("the name is resolved once and the connection uses exactly that address", async () => {
    const hosts: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end("here");
    });
    const asked: string[] = [];
    const call = createGuardedFetch({
      allowPrivate: true,
      resolve(hostname) {
        asked.push(hostname);
        return resolvesTo("127.0.0.1")();
      },
    });
    expect(await (await call(`http://engine.invalid:${port}/`)).text()).toBe("here");
    expect(asked).toEqual(["engine.invalid"]);
    expect(hosts).toEqual([`engine.invalid:${port}`]);
  });

  describe("a name whose address changes between check and use", () => {
    /** Two servers on one port of two addresses of this machine, and a resolver that names one after the other. */
    async function rebinding(...answers: string[]) {
      const answered: string[] = [];
      const answer =
        (name: string): RequestListener =>
        ({ url }, response) => {
          answered.push(name);
          if (url === "/moved") response.writeHead(302, { location: "/" });
          response.end(name);
        };
      const port = await serve(answer("checked"));
      await listening(createServer(answer("other")), { port, host: "127.0.0.2" });
      let asked = 0;
      const call = createGuardedFetch({
        allowPrivate: true,
        resolve: () => resolvesTo(answers[Math.min(asked++, answers.length - 1)]!)(),
      });
      return { answered, call: (path: string) => call(`http://engine.invalid:${port}${path}`) };
    }

    test("is connected where it was checked", async () => {
      const { answered, call } = await rebinding("127.0.0.1", "127.0.0.2");
      expect(await (await call("/")).text()).toBe("checked");
      expect(answered).toEqual(["checked"]);
    });

    test("is checked again after a redirect, although a connection is open", async () => {
      const { answered, call } = await rebinding("127.0.0.1", "169.254.169.254");
      await rejects(call("/moved"), "forbidden_address");
      expect(answered).toEqual(["checked"]);
    });

    test("is checked again for the next call, although a connection is open", async () => {
      const { answered, call } = await rebinding("127.0.0.1", "0.0.0.0");
      expect(await (await call("/")).text()).toBe("checked");
      await rejects(call("/"), "forbidden_address");
      expect(answered).toEqual(["checked"]);
    });
  });
});

describe("requests", () => {
  test("method, headers and body arrive; status, headers and body come back", async () => {
    const port = await serve((request, response) => {
      response.writeHead(418, { "x-kind": "teapot", "set-cookie": ["a=1", "b=2"] });
      response.write(`${request.method} ${request.headers["x-mine"]?.toString()} `);
      request.pipe(response);
    });
    const headers = { "X-Mine": "yes" };
    const response = await open(urlOf(port), { method: "POST", headers, body: "hello" });
    expect(response.status).toBe(418);
    expect(response.headers.get("x-kind")).toBe("teapot");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("POST yes hello");
  });

  test("a form is sent as multipart with its boundary", async () => {
    const port = await serve((request, response) => {
      response.end(`${request.headers["content-type"]} ${request.headers["content-length"]}`);
    });
    const body = new FormData();
    body.append("file", new Blob(["abc"]), "a.wav");
    const sent = await textOf(port, "", { method: "POST", body });
    expect(sent).toMatch(/^multipart\/form-data; boundary=\S+ \d+$/);
  });

  test("an answer without a body is accepted", async () => {
    const port = await serve((_request, response) => response.writeHead(204).end());
    const response = await open(urlOf(port));
    expect(response.status).toBe(204);
    expect(response.body).toBeNull();
  });

  test("chunks can be read as they arrive", async () => {
    let finish: () => void = () => undefined;
    const port = await serve((_request, response) => {
      response.write("first");
      finish = () => response.end("last");
    });
    const response = await open(urlOf(port));
    const reader = response.body!.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe("first");
    finish();
    expect(await read()).toBe("last");
    expect((await reader.read()).done).toBe(true);
  });

  test("a refused connection and an incomplete body are reported as unreachable", async () => {
    const server = createServer();
    const closed = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await rejects(textOf(closed), "unreachable");
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("some", () => response.destroy());
    });
    await rejects(textOf(port), "unreachable");
  });

  test("a connection that the other side has closed is opened again", async () => {
    const server = createServer((_request, response) => response.end("again"));
    server.keepAliveTimeout = 60_000;
    const port = await listening(server);
    expect(await textOf(port)).toBe("again");
    server.closeAllConnections();
    expect(await textOf(port, "", { method: "POST", body: "x" })).toBe("again");
  });
});

describe("limits", () => {
  test("a body with a length above the limit is not read", async () => {
    const port = await serve((_request, response) => response.end("0123456789"));
    await rejects(textOf(port, "", { maxBytes: 9 }), "too_large");
    expect(await textOf(port, "", { maxBytes: 10 })).toBe("0123456789");
  });

  test("a body without a length is counted while it is read", async () => {
    const port = await serve((_request, response) => {
      const more = (): void => {
        while (response.write("x".repeat(10_000)));
        response.once("drain", more);
      };
      more();
    });
    await rejects(textOf(port, "", { maxBytes: 100_000 }), "too_large");
  });

  test("an answer or a body that does not arrive in time is aborted", async () => {
    const silent = await serve(() => undefined);
    const slow = await serve((_request, response) => void response.write("x"));
    for (const port of [silent, slow])
      for (const limit of ["timeoutMs", "idleTimeoutMs"])
        await rejects(textOf(port, "", { [limit]: 50 }), "timeout");
  });

  test("the caller's signal ends the call and the reading with its own reason", async () => {
    const reason = new Error("Not wanted any more.");
    const port = await serve((_request, response) => void response.write("x"));
    const abort = new AbortController();
    const response = await open(urlOf(port), { signal: abort.signal });
    const text = response.text();
    abort.abort(reason);
    await expect(text).rejects.toBe(reason);
    await expect(textOf(port, "", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("cancelling the body closes the connection", async () => {
    let onClosed: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (onClosed = resolve));
    const port = await serve((request, response) => {
      request.on("close", onClosed);
      response.write("x");
    });
    const response = await open(urlOf(port));
    await response.body!.cancel();
    await closed;
  });
});

describe("redirects", () => {
  const redirects: RequestListener = (request, response) => {
    const left = Number(/^\/(\d)$/.exec(request.url ?? "")?.[1] ?? 0);
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
    else response.end(`${request.method} ${request.headers.authorization ?? "-"}`);
  };

  test("three are followed, a fourth is not", async () => {
    const port = await serve(redirects);
    expect(await textOf(port, "3")).toBe("GET -");
    await rejects(textOf(port, "4"), "too_many_redirects");
  });

  test.each([
    ["http://169.254.169.254/", "forbidden_address"],
    ["gopher://example.com/", "insecure_url"],
    ["http://[", "invalid_url"],
  ])("a redirect to %s is refused like a direct call: %s", async (location, code) => {
    const port = await serve((_request, response) => response.writeHead(302, { location }).end());
    await rejects(textOf(port), code);
  });

  test("secrets are not sent to another origin, but are kept on the same one", async () => {
    const other = await serve(redirects);
    const port = await serve((request, response) => {
      const location = request.url === "/away" ? `http://127.0.0.1:${other}/0` : "/0";
      if (request.url === "/0") redirects(request, response);
      else response.writeHead(307, { location }).end();
    });
    const headers = { authorization: "Bearer secret" };
    expect(await textOf(port, "away", { headers })).toBe("GET -");
    expect(await textOf(port, "within", { headers })).toBe("GET Bearer secret");
  });

  test("307 sends the body again, 303 sends none", async () => {
    const port = await serve((request, response) => {
      if (request.url !== "/0") response.writeHead(Number(request.url?.slice(1)), { location: "/0" }).end();
      else response.end(`${request.method} ${request.headers["content-length"] ?? "-"}`);
    });
    expect(await textOf(port, "307", { method: "POST", body: "hello" })).toBe("POST 5");
    expect(await textOf(port, "303", { method: "POST", body: "hello" })).toBe("GET -");
  });
});

describe.skipIf(!hasOpenssl())("https [needs openssl]", () => {
  test("the certificate must match the requested name", async () => {
    const pair = selfSigned();
    const port = await listening(createHttpsServer(pair, (_request, response) => response.end("safe")));
    const resolve = resolvesTo("127.0.0.1");
    const call = createGuardedFetch({ allowPrivate: true, resolve, certificateAuthority: pair.cert });
    expect(await (await call(`https://engine.invalid:${port}/`)).text()).toBe("safe");
    await rejects(call(`https://other.invalid:${port}/`), "certificate");
    const strict = createGuardedFetch({ allowPrivate: true, resolve });
    await rejects(strict(`https://engine.invalid:${port}/`), "certificate");
  });
});

describe("an answer that is packed although nobody asked for it", () => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("is unpacked (%s), and its limit counts what it becomes", async (encoding, pack) => {
    const text = "words ".repeat(10_000);
    const port = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(pack(text)),
    );
    const response = await open(urlOf(port));
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, text]);
    await rejects(textOf(port, "", { maxBytes: 10_000 }), "too_large");
  });

  test("is incomplete if it is damaged", async () => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    );
    await rejects(textOf(port), "unreachable");
  });
});
