import type { IncomingMessage } from "node:http";
import { GuardedFetchError } from "./guarded-fetch-error.ts";

interface BodyLimits {
  maxBytes: number;
  signal: AbortSignal;
  /** Called once, when no more data will come. */
  onEnd: () => void;
}

const statusesWithoutBody = new Set([204, 205, 304]);

function tooLarge(maxBytes: number): GuardedFetchError {
  return new GuardedFetchError("too_large", `The answer is larger than ${maxBytes} bytes.`);
}

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/** The reason why a body failed: our own errors unchanged, any other as `unreachable`. */
function breakReason(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof GuardedFetchError) return error;
  return new GuardedFetchError("unreachable", "The answer is incomplete: the connection closed early.", {
    cause: error,
  });
}

function limitedBody(message: IncomingMessage, { maxBytes, signal, onEnd }: BodyLimits) {
  const pieces: AsyncIterator<unknown> = message[Symbol.asyncIterator]();
  let length = 0;
  const stop = (): void => {
    onEnd();
    message.destroy();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const step = await pieces.next();
        if (step.done) {
          onEnd();
          controller.close();
          return;
        }
        const piece: unknown = step.value;
        if (!(piece instanceof Uint8Array)) throw new TypeError("The answer was read as text.");
        length += piece.length;
        if (length > maxBytes) throw tooLarge(maxBytes);
        controller.enqueue(new Uint8Array(piece));
      } catch (error) {
        stop();
        controller.error(breakReason(error, signal));
      }
    },
    cancel: stop,
  });
}

/** The response as a web platform Response. Its body is counted while it is read. */
export function limitedResponse(message: IncomingMessage, limits: BodyLimits): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new GuardedFetchError("unreachable", "The server answered with an invalid status.");
  }
  const init = { status, statusText: message.statusMessage ?? "", headers: headersOf(message) };
  if (statusesWithoutBody.has(status)) {
    message.resume();
    limits.onEnd();
    return new Response(null, init);
  }
  if (Number(message.headers["content-length"] ?? 0) > limits.maxBytes) {
    message.destroy();
    throw tooLarge(limits.maxBytes);
  }
  return new Response(limitedBody(message, limits), init);
}
