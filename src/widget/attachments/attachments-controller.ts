import type { ReactiveController } from "lit";
import type { AvatarSession, VisitorAttachments } from "../../client/index.ts";
import type { PanelHost } from "../panel/panel-host.ts";

/** The files of one panel's conversation: those of its session, and their previews. */
export class AttachmentsController implements ReactiveController {
  /** A file is held over the transcript. */
  isOver = false;
  /** Grows when there are other previews. */
  epoch = 0;
  files: VisitorAttachments | null = null;
  readonly #host: PanelHost;
  #session: AvatarSession | null = null;
  #stop: (() => void) | null = null;
  readonly #previews = new Map<string, string>();

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Takes the session that is shown now. */
  use(session: AvatarSession | null): void {
    if (session === this.#session) return;
    this.#forget();
    this.#session = session;
    if (!session) return;
    session.attachments().then(
      (files) => {
        if (session !== this.#session) return;
        this.files = files;
        this.epoch++;
        this.#stop = files.onChange(() => this.#host.requestUpdate());
        this.#host.requestUpdate();
      },
      // Without the module no file can be attached.
      () => (this.#session = null),
    );
  }

  hostDisconnected(): void {
    this.#revoke();
    this.hold(false);
  }

  hold(isOver: boolean): void {
    if (isOver === this.isOver) return;
    this.isOver = isOver;
    this.#host.requestUpdate();
  }

  /** The address of a picture that was chosen on this page; null for other files. */
  preview(id: string, type: string): string | null {
    const known = this.#previews.get(id);
    if (known !== undefined) return known;
    const file = type.startsWith("image/") ? this.files?.fileOf(id) : null;
    if (!file) return null;
    // The type is the one of the content: the file's name and type are whatever its maker wrote.
    const url = URL.createObjectURL(new Blob([file], { type }));
    this.#previews.set(id, url);
    return url;
  }

  #forget(): void {
    this.#stop?.();
    this.#stop = null;
    this.files = null;
    this.#revoke();
  }

  #revoke(): void {
    for (const url of this.#previews.values()) URL.revokeObjectURL(url);
    this.#previews.clear();
    this.epoch++;
  }
}
