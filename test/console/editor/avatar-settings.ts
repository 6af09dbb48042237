/** The settings that a test's avatar begins with. */
export const settings = {
  name: "Shop",
  tts_type: "visavis-slt",
  model_style: "mina",
  greeting: "Hello.",
  background_image: "room",
  embed_config: { ui: { avatar_name: "Mara", owner_name: "Alder Home" } },
};

/** The address of an avatar's settings. */
export const contextPath = (id = ""): string => `/api/console/b2c/contexts/${id && `${id}/`}`;
