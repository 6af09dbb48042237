import type { Avatar } from "../../protocol/console/avatar-list.ts";
import type { ContextSettings } from "../../protocol/settings/embed-context.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";

/** The name, with the first number from 2 on that makes it another than these. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name} ${number}`;
  return free;
}

/** A template's settings for one more avatar beside one's own, which may have its names already. The demo's are listed apart. */
export function withFreeNames(settings: ContextSettings, avatars: readonly Avatar[]): ContextSettings {
  const own = avatars.filter((avatar) => !avatar.is_demo);
  const name = freeName(
    settings.name,
    own.map((avatar) => avatar.name),
  );
  const config = readConfig(settings.embed_config);
  const shown = config.ui?.avatar_name;
  if (shown === undefined) return { ...settings, name };
  const avatarName = freeName(
    shown,
    own.map((avatar) => avatar.avatar_name),
  );
  return { ...settings, name, embed_config: { ...config, ui: { ...config.ui, avatar_name: avatarName } } };
}
