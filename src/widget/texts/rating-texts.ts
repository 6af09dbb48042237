/** The texts of ratings, by key. They are loaded with the transcript and with the pages. */
export const ratingTexts = {
  rate_up: "This helped",
  rate_down: "This didn’t help",
  rate_why: "What was wrong? (optional)",
  rate_send: "Send",
  rate_thanks: "Thank you. Your rating was sent.",
  rate_failed: "Your rating couldn’t be sent. Please try again.",
  rate_conversation: "Did {name} help you?",
  rate_yes: "Yes",
  rate_no: "No",
  rate_more: "Anything to add? (optional)",
} as const;
