/** The longest address of a mail that programs open; some cut longer ones off, and Windows takes about 2,000 characters. */
const replyMaxLength = 1_900;

/**
 * The address of a reply with the message quoted (RFC 6068). A long message is quoted from its beginning, as far as there is room. Line
 * ends are those of mail; everything else is encoded, so that nothing of the message becomes a header.
 */
export function replyAddress(email: string, subject: string, heading: string, text: string): string {
  const to = encodeURIComponent(email).replace("%40", "@");
  const begin = `mailto:${to}?subject=${encodeURIComponent(subject)}&body=`;
  const characters = Array.from(text);
  const quoting = (length: number): string => {
    const quoted = characters.slice(0, length).join("") + (length < characters.length ? " …" : "");
    const lines = quoted.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
    return begin + encodeURIComponent(["", "", heading, ...lines].join("\r\n"));
  };
  let length = Math.min(characters.length, replyMaxLength);
  while (length > 0 && quoting(length).length > replyMaxLength) length = Math.floor(length * 0.9);
  return quoting(length);
}
