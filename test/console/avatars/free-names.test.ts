import { describe, expect, it } from "vitest";
import { withFreeNames } from "../../../src/console/avatars/free-names.ts";
import type { Avatar } from "../../../src/protocol/console/avatar-list.ts";
import { contextSettingsSchema } from "../../../src/protocol/settings/embed-context.ts";

const template = contextSettingsSchema.parse({
  name: "Reception",
  tts_type: "visavis-rms",
  model_style: "tomas",
  embed_config: { ui: { avatar_name: "Tomas", captions: true } },
});

const avatar = (name: string, avatarName: string, isDemo = false): Avatar => ({
  id: name,
  context_id: "ctx",
  name,
  avatar_name: avatarName,
  model_style: "tomas",
  state: "draft",
  origins: [],
  conversations_7d: 0,
  is_demo: isDemo,
  revision: 1,
  updated_at: "2026-01-01T00:00:00Z",
});

describe("the names of an avatar from a template", () => {
  it("are the template's where only a demo avatar has them", () => {
    expect(withFreeNames(template, [avatar("Reception", "Tomas", true)])).toEqual(template);
  });

  it("get the first free number beside one's own", () => {
    const own = [avatar("Reception", "Tomas"), avatar("Lobby", "Tomas 2")];
    expect(withFreeNames(template, own)).toEqual({
      ...template,
      name: "Reception 2",
      embed_config: { ui: { avatar_name: "Tomas 3", captions: true } },
    });
  });

  it("leave a template without a name for visitors as it is", () => {
    const { name, embed_config: config } = withFreeNames({ ...template, embed_config: {} }, []);
    expect([name, config]).toEqual(["Reception", {}]);
  });
});
