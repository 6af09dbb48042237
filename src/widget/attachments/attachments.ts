import type { VisitorAttachments } from "../../client/index.ts";
import {
  attachmentTypes,
  readAttachmentKinds,
  type AttachmentKind,
} from "../../protocol/answers/attachment.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import { attachmentTexts } from "../texts/attachment-texts.ts";
import { addTexts } from "../texts/texts.ts";
import { AttachmentsController } from "./attachments-controller.ts";
import type { AttachmentParts, AttachmentState } from "./attachment-parts.ts";
import { attachButton, chosenFiles, sentFiles } from "./file-views.ts";

addTexts(attachmentTexts);

const controllers = new WeakMap<PanelHost, AttachmentsController>();

function controllerOf(host: PanelHost): AttachmentsController {
  const controller = controllers.get(host) ?? new AttachmentsController(host);
  controllers.set(host, controller);
  return controller;
}

const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes("Files") === true;

/** The files of a conversation, ready to be drawn. */
export function attachmentParts(state: AttachmentState): AttachmentParts {
  const { t, lang, host, current, context } = state;
  const controller = controllerOf(host);
  controller.use(current);
  const { files } = controller;
  const kinds = readAttachmentKinds(context?.["attachments"]);
  const props = { t, lang, preview: (id: string, type: string) => controller.preview(id, type) };
  return {
    ...takingParts(controller, files, kinds),
    button:
      files && kinds.length > 0 ? attachButton(props, attachmentTypes(kinds), adding(files, kinds)) : null,
    chosen:
      files && kinds.length > 0 ? chosenFiles({ ...props, files, kinds, isOver: controller.isOver }) : null,
    question: (files?.sendable ?? []).map(({ file }) => file.name).join(", "),
    isOver: controller.isOver,
    sentWith: ({ attachments = [] }) => sentFiles(props, attachments),
    epoch: controller.epoch,
  };
}

function adding(files: VisitorAttachments, kinds: readonly AttachmentKind[]) {
  return (list: FileList): void => void files.add([...list], kinds);
}

/** Files that are dropped on the transcript or pasted into the field. */
function takingParts(
  controller: AttachmentsController,
  files: VisitorAttachments | null,
  kinds: readonly AttachmentKind[],
): Pick<AttachmentParts, "handleDrag" | "handleDrop" | "handlePaste"> {
  const add = files && kinds.length > 0 ? adding(files, kinds) : null;
  return {
    handleDrag(event) {
      if (!add || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      const { currentTarget, relatedTarget } = event;
      const stays =
        currentTarget instanceof Node &&
        relatedTarget instanceof Node &&
        currentTarget.contains(relatedTarget);
      controller.hold(event.type !== "dragleave" || stays);
    },
    handleDrop(event) {
      controller.hold(false);
      if (!add || !hasFiles(event.dataTransfer)) return;
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault();
      add(event.dataTransfer.files);
    },
    handlePaste(event) {
      const data = event.clipboardData;
      // Some programs copy a text with a picture of it: then the text is meant.
      if (!add || !data?.files.length || data.types.includes("text/plain")) return;
      event.preventDefault();
      add(data.files);
    },
  };
}
