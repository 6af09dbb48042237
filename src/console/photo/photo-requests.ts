import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { formResourcesSchema, type FormResources } from "../../protocol/console/form-resources.ts";
import {
  photoCharacterListSchema,
  photoCharacterViewSchema,
  type ConsentKind,
  type PhotoCharacterView,
} from "../../protocol/console/photo-characters.ts";
import { ttsResponseSchema, type TtsResponse } from "../../protocol/speech/speech.ts";
import type { ApiClient } from "../api/api-client.ts";
import { loadAvatarList } from "../avatars/avatar-list-request.ts";
import type { MadeFace } from "./maker-frame.ts";

const path = "/api/console/photo-characters/";

/** What the page of the photographs shows. */
export interface PhotoOverview {
  readonly characters: PhotoCharacterView[];
  readonly avatars: Avatar[];
  /** Those with which a face can be tried. */
  readonly voices: FormResources["tts_types"];
}

/** The characters that are made from photographs, the avatars and the voices. Throws ApiError. */
export async function loadPhotos(api: ApiClient, signal: AbortSignal): Promise<PhotoOverview> {
  const [characters, avatars, { tts_types: voices }] = await Promise.all([
    api.request(path, { schema: photoCharacterListSchema, signal }),
    loadAvatarList(api, signal),
    api.request("/api/console/b2c/form-resources/", { schema: formResourcesSchema, signal }),
  ]);
  return { characters, avatars, voices };
}

/** What is stored beside the layers. */
export interface PhotoStatement {
  readonly title: string;
  readonly consent: ConsentKind;
  readonly statedBy: string;
}

/** Stores a character with the statement about the person. The photograph is not part of it. Throws ApiError. */
export function savePhoto(
  api: ApiClient,
  { character, poster, porthole }: MadeFace,
  { title, consent, statedBy }: PhotoStatement,
): Promise<PhotoCharacterView> {
  const form = new FormData();
  form.set("title", title);
  form.set("consent", consent);
  form.set("stated_by", statedBy);
  form.set(
    "character",
    new Blob([JSON.stringify(character)], { type: "application/json" }),
    "character.json",
  );
  form.set("poster", poster, "poster");
  form.set("porthole", porthole, "porthole");
  return api.request(path, { method: "POST", form, schema: photoCharacterViewSchema });
}

/** Removes a character with everything that shows the person. Throws ApiError. */
export const removePhoto = (api: ApiClient, name: string): Promise<undefined> =>
  api.request(`${path}${encodeURIComponent(name)}/`, { method: "DELETE" });

/** A text in a voice, with the mouth's shapes. Throws ApiError. */
export const speechSample = (api: ApiClient, voice: string, text: string): Promise<TtsResponse> =>
  api.request("/api/console/speech-sample/", {
    method: "POST",
    body: { tts_type: voice, text },
    schema: ttsResponseSchema,
  });
