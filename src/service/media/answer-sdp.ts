import { isIPv6 } from "node:net";

/**
 * The answer as the client gets it. Behind NAT the machine's own addresses are useless to a client and cost it about
 * 235 ms of vain checks, so one candidate with the public address replaces them.
 */
export function publishedAnswer(sdp: string, publicAddress: string | undefined): string {
  if (publicAddress === undefined) return sdp;
  const seen = new Set<string>();
  return sdp
    .split("\r\n")
    .map((line) => publicLine(line, publicAddress))
    .filter((line) => {
      if (line === undefined || !line.startsWith("a=candidate:")) return line !== undefined;
      const place = candidatePlace(line);
      return !seen.has(place) && seen.add(place);
    })
    .join("\r\n");
}

/** Whether a gathered candidate is one that a client can reach directly: UDP, on this host. */
export function isDirectCandidate(candidate: string): boolean {
  return / udp /i.test(candidate) && / typ host/.test(candidate);
}

function publicLine(line: string, publicAddress: string): string | undefined {
  if (line.startsWith("a=candidate:")) return publicCandidate(line, publicAddress);
  const isOwnPlace = line.startsWith("c=IN ") && !line.endsWith(" 0.0.0.0");
  return isOwnPlace ? `c=IN ${isIPv6(publicAddress) ? "IP6" : "IP4"} ${publicAddress}` : line;
}

/** The candidate with the public address; undefined for a host candidate that no client can use (TCP). */
function publicCandidate(line: string, publicAddress: string): string | undefined {
  if (!line.includes(" typ host")) return line.replace(/ raddr \S+ rport \d+/, " raddr 0.0.0.0 rport 0");
  if (!isDirectCandidate(line)) return undefined;
  const fields = line.split(" ");
  fields[4] = publicAddress;
  return fields.join(" ");
}

/** Address and port, by which two candidates are one. */
function candidatePlace(line: string): string {
  const fields = line.split(" ");
  return `${fields[2] ?? ""} ${fields[4] ?? ""} ${fields[5] ?? ""}`;
}
