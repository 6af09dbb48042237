import { createRelay, serviceOverHttp } from "visavis/relay";
import { packageAssets } from "visavis/relay/node";

const { SERVICE_BASE_URL, SERVICE_API_KEY, PUBLIC_URL } = process.env;
const mount = "/talk";

const relay = createRelay({
  service: serviceOverHttp({ baseUrl: SERVICE_BASE_URL ?? "http://localhost:8787", apiKey: SERVICE_API_KEY }),
  // Several instances need the same secret.
  tokenSecret: crypto.getRandomValues(new Uint8Array(32)),
  publicUrl: (PUBLIC_URL ?? "http://localhost:3000") + mount,
  assets: packageAssets(),
});

function answer(request) {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(mount.length);
  return relay.fetch(new Request(url, request));
}

export { answer as GET, answer as POST, answer as OPTIONS };
