interface Exchange {
  /** Must match the whole message, in lower case and without punctuation at its ends. */
  said: RegExp;
  answer: string;
}

const exchanges: readonly Exchange[] = [
  {
    said: /^(?:hi|hello|hey|hiya|hallo|good (?:morning|afternoon|evening|day)|greetings)(?: there| mara| everyone)?$/,
    answer: "Hello. What would you like to know?",
  },
  {
    said: /^(?:many )?(?:thanks?|thank you|thx|cheers)(?: (?:a lot|so much|very much|you|that helps|for (?:that|your help|the help)))*$/,
    answer: "You're welcome. Is there anything else you'd like to know?",
  },
  {
    said: /^(?:(?:good)?bye|bye bye|see you(?: later)?|that's all|that is all|have a (?:nice|good) day)(?: (?:thanks|thank you))?$/,
    answer: "Goodbye, and thank you for talking with me.",
  },
  {
    said: /^(?:how are you|how are you doing|how do you do|how's it going|what's up)(?: today)?$/,
    answer: "I'm well, thank you. What would you like to know?",
  },
  {
    said: /^(?:who|what) are you$|^are you (?:an? )?(?:real|human|person|robot|bot|machine|ai|real person|a real person|human being)$|^what's your name$/,
    answer: "I'm an AI assistant, not a person. I answer from the information I was given.",
  },
  {
    said: /^(?:help|help me|can you help(?: me)?|what can you do|what do you know|how can you help(?: me)?|what can i ask(?: you)?)$/,
    answer: "I answer questions from the information I was given. What would you like to know?",
  },
  {
    said: /^(?:ok|okay|alright|all right|great|good|nice|perfect|cool|i see|got it|understood|fine|super|wonderful)$/,
    answer: "Good. What else would you like to know?",
  },
  {
    said: /^(?:no|nope|no thanks|no thank you|nothing|not now)$/,
    answer: "All right. I'm here if you need me.",
  },
  { said: /^(?:yes|yeah|yep|sure|yes please)$/, answer: "Gladly. What would you like to know?" },
];

/** A fixed answer to a greeting, thanks and the like; null when the message contains anything more. */
export function smallTalk(text: string): string | null {
  const said = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return said.length > 60 ? null : (exchanges.find((exchange) => exchange.said.test(said))?.answer ?? null);
}
