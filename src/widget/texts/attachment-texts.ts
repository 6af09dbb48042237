/** The texts of files that visitors attach, by key. They are loaded with them. */
export const attachmentTexts = {
  attach: "Attach a file",
  attach_drop: "Drop the file here",
  attach_list: "Attached files",
  attach_remove: "Remove {name}",
  attach_retry: "Upload {name} again",
  attach_uploading: "Uploading {name}",
  attach_uploaded: "{name} is attached",
  attach_kept: "Sent with your question",
  attach_size: "{name} is larger than {size}.",
  attach_type: "{name} can’t be attached. Allowed: {types}.",
  attach_count: "A question can have at most {count} files.",
  attach_space: "No more files can be attached in this conversation.",
  attach_refused: "{name} isn’t accepted here.",
  attach_network: "{name} couldn’t be uploaded.",
} as const;
