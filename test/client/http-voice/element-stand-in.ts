/** An element whose sentences last as long as the test wants. */
export class ElementStandIn extends EventTarget {
  src = "";
  srcObject: unknown = null;
  volume = 1;
  currentTime = 0;
  duration = 0.5;
  error: { message: string } | null = null;
  paused = true;
  pause(): void {
    this.paused = true;
  }
  play(): void {
    this.paused = false;
    queueMicrotask(() => this.dispatchEvent(new Event("playing")));
  }
  end(): void {
    this.dispatchEvent(new Event("ended"));
  }
}
