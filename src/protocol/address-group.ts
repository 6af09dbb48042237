/** How many groups of an IPv6 address identify its /64, the smallest network that one customer gets (RFC 6177). */
const networkGroups = 4;

/** An IPv4 address as two 16-bit groups; null if the text is not an IPv4 address. */
function ipv4Groups(text: string): number[] | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts?.every((part) => part < 256)) return null;
  const [first = 0, second = 0, third = 0, fourth = 0] = parts;
  return [first * 256 + second, third * 256 + fourth];
}

/** The groups of a part of an IPv6 address; null if the part is not valid. */
function groupsOf(part: string): number[] | null {
  const groups: number[] = [];
  const words = part === "" ? [] : part.split(":");
  for (const [index, word] of words.entries()) {
    const embedded = index === words.length - 1 ? ipv4Groups(word) : null;
    if (embedded) groups.push(...embedded);
    else if (/^[0-9a-f]{1,4}$/i.test(word)) groups.push(parseInt(word, 16));
    else return null;
  }
  return groups;
}

/** An IPv6 address as eight numbers (RFC 4291, 2.2); null if the text is not an IPv6 address. */
function ipv6Groups(text: string): number[] | null {
  const parts = text.split("::");
  const head = groupsOf(parts[0] ?? "");
  const tail = groupsOf(parts[1] ?? "");
  if (parts.length > 2 || head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (parts.length === 1) return missing === 0 ? head : null;
  return missing > 0 ? [...head, ...Array<number>(missing).fill(0), ...tail] : null;
}

/**
 * The key under which limits count an address. An IPv4 address is its own key, also when it is mapped into IPv6 (RFC 4291,
 * 2.5.5.2). An IPv6 address is counted by its /64, because a visitor can use any address in it. Any other text is its own
 * key.
 */
export function addressGroup(address: string): string {
  // A link-local address may name its interface: `fe80::1%eth0`.
  const groups = ipv6Groups(address.split("%", 1)[0] ?? "");
  if (groups === null) return address;
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${groups
    .slice(0, networkGroups)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
