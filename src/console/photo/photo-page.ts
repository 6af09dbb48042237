import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { PhotoCharacterView } from "../../protocol/console/photo-characters.ts";
import type { Framing } from "../../photo-making/maker-requests.ts";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { ConsolePage } from "../page.ts";
import { question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { pageHead } from "../parts/page-head.ts";
import { whenLoaded } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { cameraDialog, chosenPhoto, GivenPictures, photoChoice } from "./choice-views.ts";
import "./face-preview.ts";
import { type MadeFace, MakerFrame, type Verdict } from "./maker-frame.ts";
import { mouthList, mouthPoses } from "./mouths.ts";
import { photoList } from "./photo-list.ts";
import {
  loadPhotos,
  type PhotoOverview,
  type PhotoStatement,
  removePhoto,
  savePhoto,
} from "./photo-requests.ts";
import { savedNote, statementForm } from "./statement-form.ts";
import { UnsavedFace } from "./unsaved-face.ts";
import { verdictView } from "./verdict-view.ts";
import "./photo.css";

/** The width of a mouth's picture, in pixels. */
const mouthPx = 144;

/** A photograph that was chosen. It stays in this browser. */
interface Chosen {
  readonly file: File;
  /** Where this page shows it from. */
  readonly address: string;
}

/** What somebody chooses about the face. */
type Ways = Pick<PhotoPage, "keepsBackground" | "framing" | "glasses">;

/** Makes a face from a photograph, and lists those that were made. */
export class PhotoPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    chosen: { state: true },
    verdict: { state: true },
    mouths: { state: true },
    keepsBackground: { state: true },
    framing: { state: true },
    glasses: { state: true },
    hasCameraOpen: { state: true },
    isSaving: { state: true },
    refusal: { state: true },
    saved: { state: true },
    removed: { state: true },
  };
  declare chosen: Chosen | null;
  /** What came of it; null: not known yet. */
  declare verdict: Verdict | null;
  declare mouths: ImageData[];
  declare keepsBackground: boolean;
  declare framing: Framing;
  /** Whether somebody says that the person wears glasses; undefined: they are looked for. */
  declare glasses: boolean | undefined;
  declare hasCameraOpen: boolean;
  declare isSaving: boolean;
  /** Why it was not saved. */
  declare refusal: ApiError | null;
  declare saved: PhotoCharacterView | null;
  /** The one that is about to be removed. */
  declare removed: PhotoCharacterView | null;
  readonly #maker = new MakerFrame(this);
  readonly #unsaved = new UnsavedFace(this, () => this.services.router);
  /** How the face that is shown was made. */
  #ways: Ways | null = null;
  readonly #data = new Loaded<PhotoOverview>(this, (signal) => loadPhotos(this.services.api, signal));

  constructor() {
    super();
    new GivenPictures(this, (file) => this.#give(file));
    this.chosen = null;
    this.verdict = null;
    this.mouths = [];
    this.keepsBackground = false;
    this.framing = "usual";
    this.hasCameraOpen = false;
    this.isSaving = false;
    this.refusal = null;
    this.saved = null;
    this.removed = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#data.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget();
  }

  protected override updated(): void {
    this.#unsaved.watch(this.isConnected && this.verdict?.type === "made");
  }

  /** The avatar that somebody came from, to give it a face. */
  get #avatar(): string {
    return this.query.get("for") ?? "";
  }

  protected override render(): TemplateResult {
    const { title, lead, back } = texts.photo;
    const to = this.#avatar === "" ? "/avatars" : `/avatars/${encodeURIComponent(this.#avatar)}/look`;
    return html`<a class="lk s" href=${linkTo(to)}>${this.#avatar === "" ? back.avatars : back.editor}</a>
      ${pageHead({ title, lead })} ${this.#maker.view()}
      <div class="stack">
        ${whenLoaded(this.#data, (data) => html`${this.#making(data)}${photoList(data.characters, (one) => (this.removed = one))}`)}
      </div>
      ${this.#dialogs()}${this.#unsaved.view()}`;
  }

  #making(data: PhotoOverview): TemplateResult {
    if (this.saved)
      return savedNote({
        saved: this.saved,
        avatars: data.avatars,
        avatar: this.#avatar,
        onUse: (id) => this.services.router.go(`/avatars/${id}/look`, { face: this.saved?.name }),
        onAnother: () => this.#another(),
      });
    if (!this.chosen)
      return photoChoice({
        onChosen: (file) => void this.#look(file),
        onCamera: () => (this.hasCameraOpen = true),
      });
    return html`${this.#photograph(this.chosen, data)}
    ${this.verdict?.type === "made" ? this.#result(this.verdict) : nothing}`;
  }

  #photograph(chosen: Chosen, { voices }: PhotoOverview): TemplateResult {
    const isMade = this.verdict?.type === "made";
    const face = html`<visavis-console-photo-face
      .services=${this.services}
      .maker=${this.#maker}
      .voices=${voices}
    ></visavis-console-photo-face>`;
    return html`<section class="sheet" aria-labelledby="photo-chosen">
      <header>
        <h2 id="photo-chosen" tabindex="-1">
          ${isMade ? texts.photo.preview.title : texts.photo.chosen.title}
        </h2>
        <button class="btn sm" type="button" ?disabled=${this.isSaving} @click=${() => this.#another()}>
          ${texts.photo.chosen.another}
        </button>
      </header>
      <div class="photo">
        ${isMade ? html`<div>${face}</div>` : chosenPhoto(chosen)}
        ${verdictView({
          name: chosen.file.name,
          step: this.#maker.step,
          verdict: this.verdict,
          keepsBackground: this.keepsBackground,
          framing: this.framing,
          glasses: this.glasses,
          onKeep: (keeps) => {
            this.keepsBackground = keeps;
            void this.#make();
          },
          onFraming: (framing) => {
            this.framing = framing;
            void this.#make();
          },
          onGlasses: (glasses) => {
            this.glasses = glasses;
            void this.#make();
          },
          onAgain: () => void this.#look(chosen.file),
        })}
      </div>
      ${
        isMade && this.mouths.length > 0
          ? html`<h3 class="mouths-title">${texts.photo.mouths.title}</h3>
              ${mouthList(this.mouths)}`
          : nothing
      }
    </section>`;
  }

  #result(made: MadeFace): TemplateResult {
    const { state } = this.services.session;
    return html`<section class="sheet" aria-labelledby="photo-save">
      <header><h2 id="photo-save">${texts.photo.save.title}</h2></header>
      ${statementForm({
        account: "session" in state ? state.session.account.username : "",
        isBusy: this.isSaving,
        error: this.refusal,
        onSave: (statement) => void this.#save(made, statement),
      })}
    </section>`;
  }

  #dialogs(): TemplateResult | typeof nothing {
    const { removed } = this;
    if (removed)
      return question({
        title: texts.photo.remove.title(removed.title),
        text: texts.photo.remove.text(removed.used_by.map(({ name }) => name)),
        yes: texts.photo.remove.yes,
        no: texts.cancel,
        isDangerous: true,
        onYes: () => void this.#remove(removed),
        onNo: () => (this.removed = null),
      });
    if (!this.hasCameraOpen) return nothing;
    return cameraDialog(
      (photo) => {
        this.hasCameraOpen = false;
        void this.#look(photo);
      },
      () => (this.hasCameraOpen = false),
    );
  }

  /** Leaves the photograph, and what was made of it. */
  #forget(): void {
    if (this.chosen) URL.revokeObjectURL(this.chosen.address);
    this.chosen = null;
    this.verdict = null;
    this.mouths = [];
    this.refusal = null;
    this.saved = null;
  }

  #another(): void {
    this.#forget();
    this.#focus("photo-choose");
  }

  /** What had the focus is gone: the heading of what has come gets it. */
  #focus(heading: string): void {
    void this.updateComplete.then(() => document.getElementById(heading)?.focus());
  }

  async #look(file: File): Promise<void> {
    this.#forget();
    this.glasses = undefined;
    this.chosen = { file, address: URL.createObjectURL(file) };
    this.#focus("photo-chosen");
    await this.#make(file);
  }

  /** What was dropped or pasted; null: no file. */
  #give(file: File | null): void {
    if (this.hasCameraOpen || this.removed || this.isSaving) return;
    if (file) void this.#look(file);
    else this.services.toasts.show(texts.photo.choose.noFile);
  }

  /** Makes the character, from this photograph or from the one before in another way. */
  async #make(photo?: File): Promise<void> {
    const { keepsBackground, framing, glasses } = this;
    const ways: Ways = { keepsBackground, framing, glasses };
    const verdict = await this.#maker.make({ ...(photo && { photo }), ...ways });
    if (verdict === null || !this.chosen) return;
    this.refusal = null;
    if (verdict.type !== "made" && this.verdict?.type === "made") {
      // Otherwise the choice that has failed could not be taken back.
      Object.assign(this, this.#ways);
      this.services.toasts.show(texts.photo.ways.unchanged);
      return;
    }
    this.verdict = verdict;
    this.mouths = [];
    if (verdict.type !== "made") return;
    this.#ways = ways;
    this.mouths = await this.#maker.mouths({ poses: mouthPoses, side: mouthPx });
  }

  async #save(made: MadeFace, statement: PhotoStatement): Promise<void> {
    this.isSaving = true;
    this.refusal = null;
    try {
      const saved = await savePhoto(this.services.api, made, statement);
      this.#forget();
      this.saved = saved;
      this.#focus("photo-saved");
      this.services.toasts.show(texts.photo.saved.toast(saved.title));
      await this.#data.load();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error;
    } finally {
      this.isSaving = false;
    }
  }

  async #remove({ name, title }: PhotoCharacterView): Promise<void> {
    this.removed = null;
    try {
      await removePhoto(this.services.api, name);
      if (this.saved?.name === name) this.saved = null;
      this.services.toasts.show(texts.photo.remove.done(title));
    } catch (error) {
      this.services.toasts.show(errorText(error));
    }
    await this.#data.load();
  }
}

customElements.define("visavis-console-photo", PhotoPage);
