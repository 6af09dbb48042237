import type { Settings } from "./settings.ts";

const ofThisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The address under which clients reach a service that runs without its relay. An address of this machine with another port belongs to
 * the relay beside it; any other address may be that of both.
 */
export function serviceUrlOf({
  serviceUrl,
  publicUrl,
  port,
}: Pick<Settings, "serviceUrl" | "publicUrl" | "port">): string {
  if (serviceUrl !== undefined) return serviceUrl;
  const { hostname, port: publicPort, protocol } = new URL(publicUrl);
  const isOwn = Number(publicPort || (protocol === "https:" ? 443 : 80)) === port;
  return ofThisMachine.test(hostname) && !isOwn ? `http://localhost:${port}` : publicUrl;
}
