import { isIPv6 } from "node:net";

/**
 * The answer that is sent to the client. Behind NAT, a client cannot use the machine's own addresses and loses about 235 ms
 * on failing checks, so one candidate with the public address replaces them. Where the machine has the public address itself, its
 * other addresses (those of container networks, for example) are left out: nothing that is sent to the public one arrives there.
 */
export function publishedAnswer(sdp: string, publicAddress: string | undefined): string {
  if (publicAddress === undefined) return sdp;
  const seen = new Set<string>();
  const lines = sdp.split("\r\n");
  const isOwn = lines.some((line) => isDirectCandidate(line, publicAddress));
  return lines
    .filter((line) => !isOwn || !line.includes(" typ host") || isDirectCandidate(line, publicAddress))
    .map((line) => publicLine(line, publicAddress))
    .filter((line) => {
      if (line === undefined || !line.startsWith("a=candidate:")) return line !== undefined;
      const place = candidatePlace(line);
      return !seen.has(place) && seen.add(place);
    })
    .join("\r\n");
}

/** Whether a client can reach a gathered candidate directly: a UDP host candidate, with the given address if there is one. */
export function isDirectCandidate(candidate: string, address?: string): boolean {
  const isHost = / udp /i.test(candidate) && / typ host/.test(candidate);
  return isHost && (address === undefined || candidate.split(" ")[4] === address);
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

/** Transport, address and port: candidates with the same values are duplicates. */
function candidatePlace(line: string): string {
  const fields = line.split(" ");
  return `${fields[2] ?? ""} ${fields[4] ?? ""} ${fields[5] ?? ""}`;
}
