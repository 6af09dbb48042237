import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serve } from "../../../../local-server.ts";

/** A request as the server received it. */
export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  /** The header `api-key`, where it was sent. */
  apiKey?: string;
  /** Fields of a JSON body, or of a form. */
  fields: Record<string, unknown>;
  file: Uint8Array | null;
  fileName: string | null;
}

/** The server's answers: bytes of audio, or JSON. */
interface Answers {
  /** Null means 400, as for an unknown format. */
  speech?: (request: SeenRequest) => Uint8Array | null;
  transcription?: (request: SeenRequest) => unknown;
  /** An answer to every request, in place of the others. */
  status?: number;
  /** The body of that answer. Default: an error's. */
  body?: string;
  /** The status that the first request gets; null closes its connection. */
  firstStatus?: number | null;
}

async function seen(request: IncomingMessage): Promise<SeenRequest> {
  const { authorization, "content-type": type = "", "api-key": apiKey } = request.headers;
  const body = new Response(await buffer(request), { headers: { "content-type": type } });
  const base = { path: request.url ?? "", authorization, ...(typeof apiKey === "string" && { apiKey }) };
  if (!type.startsWith("multipart/form-data"))
    return { ...base, fields: (await body.json()) as Record<string, unknown>, file: null, fileName: null };
  const form = await body.formData();
  const file = form.get("file");
  return {
    ...base,
    fields: Object.fromEntries([...form].filter(([, value]) => typeof value === "string")),
    file: file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : null,
    fileName: file instanceof File ? file.name : null,
  };
}

function answer(
  response: ServerResponse,
  request: SeenRequest,
  { speech, transcription, status, body }: Answers,
): void {
  if (status !== undefined) {
    const error = { message: "secret of the engine", type: "server_error" };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body ?? JSON.stringify({ error }));
  } else if (request.path.startsWith("/v1/audio/speech") && speech) {
    const audio = speech(request);
    response.writeHead(audio === null ? 400 : 200).end(audio ?? undefined);
  } else if (request.path.startsWith("/v1/audio/transcriptions") && transcription) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(transcription(request)));
  } else response.writeHead(404).end();
}

/** A local server with the audio operations of the OpenAI protocol. */
export async function openAiServer(answers: Answers): Promise<{ baseUrl: string; requests: SeenRequest[] }> {
  const requests: SeenRequest[] = [];
  const port = await serve((request, response) => {
    void seen(request).then((known) => {
      const { firstStatus, ...later } = answers;
      const isOdd = requests.push(known) === 1 && firstStatus !== undefined;
      if (isOdd && firstStatus === null) request.socket.destroy();
      else answer(response, known, isOdd ? { ...later, status: firstStatus ?? 500 } : later);
    });
  });
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests };
}
