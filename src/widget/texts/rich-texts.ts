/** The texts of rich answers and of the way to a person, by key. They are loaded with them. */
export const richTexts = {
  form_sent: "Sent",
  field_optional: "{label} (optional)",
  field_choose: "Choose",
  handover_title: "Talk to a person",
  handover_here: "Connect me",
  handover_done: "Your request was passed on.",
  handover_call: "Call {phone}",
  handover_write: "Write an email",
} as const;
