import type { ContextTemplate } from "../../../protocol/console/avatars.ts";
import type { EmbedContextPut } from "../../../protocol/settings/embed-context.ts";
import { retrievalModel } from "../../store/seed/built-in-entries.ts";

interface Beginning {
  id: string;
  title: string;
  description: string;
  name: string;
  avatar: string;
  style: string;
  voice: string;
  background: string | null;
  greeting: string;
  instructions: string;
  suggestions: string[];
  captions?: boolean;
}

const beginnings: readonly Beginning[] = [
  {
    id: "shop_assistant",
    title: "Shop assistant",
    description: "Prices, sizes, delivery and returns, from your website.",
    name: "Shop assistant",
    avatar: "Mara",
    style: "mina",
    voice: "visavis-slt",
    background: "room",
    greeting: "Hello, I'm Mara. What are you looking for today?",
    instructions:
      "You help the visitors of our shop to find what fits them.\n" +
      "Answer in one to three short sentences. Name sizes and prices as our texts have them.\n" +
      "When you do not know something, say so and name the people who do.",
    suggestions: ["Find the right size", "Delivery", "Returns", "Opening hours"],
  },
  {
    id: "reception",
    title: "Reception",
    description: "Greets on a big screen and says where to go.",
    name: "Reception",
    avatar: "Tomas",
    style: "tomas",
    voice: "visavis-rms",
    background: "room",
    greeting: "Welcome. Whom are you visiting?",
    instructions:
      "You welcome visitors at our reception.\n" +
      "Say where to go in one sentence: floor, room, and the way there.\n" +
      "When somebody has an appointment, ask for the name and say that you cannot announce them yourself.",
    suggestions: ["I have an appointment", "Where is the lift?", "I have a delivery"],
    captions: true,
  },
  {
    id: "tutor",
    title: "Tutor",
    description: "Explains your lessons step by step and asks back.",
    name: "Tutor",
    avatar: "Amara",
    style: "amara",
    voice: "visavis-slt",
    background: "calm",
    greeting: "Hello, I'm Amara. What would you like to understand?",
    instructions:
      "You help learners to understand our lessons.\n" +
      "Explain one step at a time, with an example, and ask whether it is clear before you go on.\n" +
      "Do not solve exercises; give the next hint instead.",
    suggestions: ["Explain it again", "Give me an example", "Ask me a question"],
    captions: true,
  },
  {
    id: "support",
    title: "Support",
    description: "Answers from your help pages and says when a person is better.",
    name: "Support",
    avatar: "Ingrid",
    style: "ingrid",
    voice: "visavis-slt",
    background: "calm",
    greeting: "Hello, I'm Ingrid. What does not work?",
    instructions:
      "You help people who have a problem with our product.\n" +
      "Ask what they see, then give one step at a time from our help pages.\n" +
      "When the help pages do not have the answer, or somebody asks for a person, say how to reach our team.",
    suggestions: ["I cannot log in", "Something does not work", "Talk to a person"],
  },
  {
    id: "blank",
    title: "Start empty",
    description: "A face, a voice, and a blank sheet.",
    name: "New avatar",
    avatar: "Mara",
    style: "mina",
    voice: "visavis-slt",
    background: null,
    greeting: "",
    instructions: "",
    suggestions: [],
  },
];

function settingsOf(beginning: Beginning): EmbedContextPut {
  const { name, avatar, style, voice, background, greeting, instructions, suggestions, captions } = beginning;
  return {
    name,
    tts_type: voice,
    model_style: style,
    greeting,
    instructions,
    background_image: background,
    max_session_sec: 0,
    is_active: true,
    embed_config: {
      llm_type: retrievalModel,
      ui: {
        avatar_name: avatar,
        ...(suggestions.length > 0 && { suggestions }),
        ...(captions !== undefined && { captions }),
      },
    },
  };
}

/** Templates for new avatars. They name entries that every new store has. */
export const contextTemplates: readonly ContextTemplate[] = beginnings.map((beginning) => ({
  id: beginning.id,
  title: beginning.title,
  description: beginning.description,
  settings: settingsOf(beginning),
}));
