import type { EnginePreset } from "../../../protocol/console/engines.ts";

interface Known {
  id: string;
  name: string;
  kinds?: EnginePreset["kinds"];
  base_url: string;
  is_offline?: boolean;
  key_variable?: string;
}

const known: readonly Known[] = [
  {
    id: "openai",
    name: "OpenAI",
    kinds: ["model", "voice", "recognizer"],
    base_url: "https://api.openai.com/v1",
    key_variable: "OPENAI_API_KEY",
  },
  {
    id: "azure",
    name: "Azure OpenAI",
    kinds: ["model", "voice", "recognizer"],
    base_url: "https://your-resource.openai.azure.com/openai/v1",
    key_variable: "AZURE_OPENAI_API_KEY",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    base_url: "https://api.anthropic.com/v1",
    key_variable: "ANTHROPIC_API_KEY",
  },
  {
    id: "google",
    name: "Google Gemini",
    base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
    key_variable: "GEMINI_API_KEY",
  },
  { id: "mistral", name: "Mistral", base_url: "https://api.mistral.ai/v1", key_variable: "MISTRAL_API_KEY" },
  {
    id: "groq",
    name: "Groq",
    kinds: ["model", "recognizer"],
    base_url: "https://api.groq.com/openai/v1",
    key_variable: "GROQ_API_KEY",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    base_url: "https://openrouter.ai/api/v1",
    key_variable: "OPENROUTER_API_KEY",
  },
  {
    id: "together",
    name: "Together AI",
    base_url: "https://api.together.xyz/v1",
    key_variable: "TOGETHER_API_KEY",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    base_url: "https://api.deepseek.com/v1",
    key_variable: "DEEPSEEK_API_KEY",
  },
  { id: "ollama", name: "Ollama, on this machine", base_url: "http://127.0.0.1:11434/v1", is_offline: true },
  {
    id: "lm-studio",
    name: "LM Studio, on this machine",
    base_url: "http://127.0.0.1:1234/v1",
    is_offline: true,
  },
  {
    id: "llama-cpp",
    name: "llama.cpp, on this machine",
    base_url: "http://127.0.0.1:8080/v1",
    is_offline: true,
  },
  { id: "vllm", name: "vLLM, in your network", base_url: "http://127.0.0.1:8000/v1", is_offline: true },
  {
    id: "other",
    name: "Another address of the OpenAI protocol",
    kinds: ["model", "voice", "recognizer"],
    base_url: "",
  },
];

/** Well-known servers of the OpenAI protocol. */
export const enginePresets: readonly EnginePreset[] = known.map(
  ({ id, name, kinds = ["model"], base_url, is_offline = false, key_variable }) => ({
    id,
    name,
    kinds,
    base_url,
    is_offline,
    needs_key: key_variable !== undefined,
    key_variable: key_variable ?? null,
  }),
);
