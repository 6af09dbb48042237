import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, serveLocally } from "../../../local-server.ts";

/** A request that the receiver got, whose signature was right. */
export interface Received {
  id: string;
  timestampSec: number;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** Checks a request as a receiver does (standardwebhooks.com), by code that shares nothing with the sender's. */
function isSigned(secret: string, headers: IncomingMessage["headers"], body: string): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const [scheme, key] = secret.split("_");
  if (scheme !== "whsec" || key === undefined) return false;
  const wanted = createHmac("sha256", Buffer.from(key, "base64"))
    .update([id, timestamp, body].join("."))
    .digest();
  return signatures!.split(" ").some((one) => {
    const [version, value = ""] = one.split(",");
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** A receiver on this machine. It answers 204 until `answer` is set. */
export async function receiveWebhooks() {
  const received: Received[] = [];
  let count = 0;
  const receiver = {
    received,
    /** What signs the requests that are right. */
    secret: "",
    /** Requests whose signature is wrong. */
    unsigned: 0,
    answer: ((_request, response) => response.writeHead(204).end()) as Answer,
    /** Paths that were asked for. */
    paths: [] as string[],
  };
  const { origin, close } = await serveLocally((request, response) => {
    void bodyOf(request).then((body) => {
      receiver.paths.push(`${request.method} ${request.url}`);
      if (isSigned(receiver.secret, request.headers, body))
        received.push({
          ...(JSON.parse(body) as Omit<Received, "id" | "timestampSec">),
          id: String(request.headers["webhook-id"]),
          timestampSec: Number(request.headers["webhook-timestamp"]),
        });
      else receiver.unsigned++;
      receiver.answer(request, response, count++);
    });
  });
  return Object.assign(receiver, { origin, close });
}
