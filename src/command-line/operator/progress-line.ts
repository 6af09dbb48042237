/** Where progress is shown. */
interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** A log gets a line for each of these steps, because it cannot be overwritten. */
const loggedStepPercent = 20;

/**
 * Shows how far something is: a terminal's last line is replaced each time, and another output, such as a log, gets a line for
 * each 20 %. Null ends the line.
 */
export function progressLine(output: Output): (line: string | null) => void {
  let step = -1;
  let isShown = false;
  return (line) => {
    if (line === null) {
      if (isShown && output.isTTY) output.write("\n");
      [step, isShown] = [-1, false];
      return;
    }
    if (output.isTTY) {
      output.write(`\r\u001b[2K${line}`);
      isShown = true;
      return;
    }
    const percent = Number(/(\d{1,3}) %/.exec(line)?.[1] ?? 0);
    const reached = Math.floor(percent / loggedStepPercent);
    if (reached <= step) return;
    step = reached;
    output.write(`${line}\n`);
  };
}

const barLength = 24;

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return bytes < 1_000_000_000
    ? `${Math.round(bytes / 1_000_000)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A bar with percent and sizes; without a bar where the whole size is not known. */
export function progressText(receivedBytes: number, totalBytes: number | null): string {
  if (totalBytes === null || totalBytes === 0) return sizeText(receivedBytes);
  const share = Math.min(1, receivedBytes / totalBytes);
  const filled = Math.floor(share * barLength);
  const bar = `${"#".repeat(filled)}${".".repeat(barLength - filled)}`;
  return `[${bar}] ${Math.floor(share * 100)} %  ${sizeText(receivedBytes)} of ${sizeText(totalBytes)}`;
}
