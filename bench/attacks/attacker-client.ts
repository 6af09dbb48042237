import { Agent, request } from "node:http";
import { connect } from "node:net";

/** The target of the attacker, and its own address on this machine, so that the server counts it separately from the visitor. */
export interface AttackTarget {
  port: number;
  fromAddress: string;
  /** An origin that the context admits. Any client except a browser can send a false origin. */
  origin: string;
}

/** Results of the attacker's requests: a count for each status; status 0 means a broken or refused connection. */
export type Outcomes = Record<number, number>;

const boundary = "attack";

function formWithFile(bytes: number): Buffer {
  const field = `--${boundary}\r\ncontent-disposition: form-data; name="event"\r\n\r\nSESSION_LOG\r\n`;
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(field + head),
    Buffer.alloc(bytes, 120),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Sends requests from the attacker's address and counts their results. */
export class AttackerClient {
  readonly outcomes: Outcomes = {};
  readonly #target: AttackTarget;
  readonly #agent: Agent;
  /** Forms by the size of their file. Each is built once, because the attacker's own work should not affect the result. */
  readonly #forms = new Map<number, Buffer>();

  constructor(target: AttackTarget) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 256 });
  }

  /** Sends one request. Resolves with status and text; status 0 if there was no answer. */
  send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; text: string }> {
    const { port, fromAddress, origin } = this.#target;
    return new Promise((resolve) => {
      const settle = (status: number, text = ""): void => {
        this.outcomes[status] = (this.outcomes[status] ?? 0) + 1;
        resolve({ status, text });
      };
      const sent = request(
        {
          host: "127.0.0.1",
          port,
          localAddress: fromAddress,
          agent: this.#agent,
          method,
          path,
          headers: {
            origin,
            ...headers,
            ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += text.length < 100_000 ? chunk : ""));
          response.on("end", () => settle(response.statusCode ?? 0, text));
          response.on("error", () => settle(0));
        },
      );
      sent.on("error", () => settle(0));
      sent.end(body);
    });
  }

  /** Sends JSON by POST, with a session's token if there is one. */
  post(path: string, body: unknown, token?: string): Promise<{ status: number; text: string }> {
    const headers = {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    };
    return this.send("POST", path, { body: JSON.stringify(body), headers });
  }

  /** Sends a file by POST, as a form. */
  postFile(path: string, bytes: number, token?: string): Promise<{ status: number; text: string }> {
    const body = this.#forms.get(bytes) ?? formWithFile(bytes);
    this.#forms.set(bytes, body);
    const headers = {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    return this.send("POST", path, { body, headers });
  }

  /** Opens a session as a browser would, without media. Null if the relay refuses. */
  async openSession(mode: "avatar" | "text"): Promise<{ path: string; token: string } | null> {
    const { status, text } = await this.post("/embed/v1/sessions", { context_id: "ctx_demo", mode });
    if (status !== 201) return null;
    const { session, token } = JSON.parse(text) as { session: { session_id: string }; token: string };
    return { path: `/embed/v1/sessions/${session.session_id}`, token };
  }

  /** Opens a connection that sends a few bytes every second and never ends its request. Resolves when the server closes it. */
  dribble(head: string, isStopped: () => boolean): Promise<void> {
    const { port, fromAddress } = this.#target;
    return new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: fromAddress });
      socket.on("error", () => undefined);
      socket.write(head);
      const timer = setInterval(() => {
        if (isStopped()) socket.destroy();
        else socket.write("x-slow: 1\r\n");
      }, 1_000);
      socket.on("close", () => {
        clearInterval(timer);
        this.outcomes[0] = (this.outcomes[0] ?? 0) + 1;
        resolve();
      });
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
