import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { closestMatch } from "leven";
import { AdministrationError } from "../administration-error.ts";
import { knownByFile, knownModels, type KnownModel } from "./known-models.ts";

/** Where a model comes from. */
export interface ModelSource {
  /** How it is installed, and the name of its catalogue entry. */
  name: string;
  /** BCP 47. */
  languages: readonly string[];
  /** In hexadecimal; null when it is not known. */
  sha256: string | null;
  /** An address, or the absolute path of a file. */
  from: { url: string } | { file: string };
}

/** What an operator names, and what they know about it. */
export interface ModelRequest {
  /** A known name, an address or a file. */
  model: string;
  name?: string | undefined;
  languages?: readonly string[] | undefined;
  sha256?: string | undefined;
}

/** Names of catalogue entries, and of folders. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

function checkedName(name: string): string {
  if (namePattern.test(name)) return name;
  throw new AdministrationError(
    "invalid_name",
    "The name is not valid; set 1 to 100 Latin letters, digits, hyphens and underscores.",
  );
}

function checkedSum(sha256: string | undefined): string | null {
  if (sha256 === undefined) return null;
  if (/^[0-9a-f]{64}$/i.test(sha256)) return sha256.toLowerCase();
  throw new AdministrationError("checksum_mismatch", "A SHA-256 has 64 hexadecimal digits.");
}

/**
 * A name for an unknown model: the name of its file, without the extension, the project's prefix and characters that names cannot
 * contain.
 */
function nameOfFile(path: string): string {
  return basename(path)
    .replace(/\.(?:tar\.bz2|tbz2|zip|onnx)$/i, "")
    .replace(/^(?:sherpa-onnx|vits)-/, "")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, "")
    .slice(0, 100);
}

/** The language in names such as `piper-de_DE-thorsten` and `whisper-tiny.en`. */
function languagesOfFile(path: string): string[] {
  const [, region] = /(?:^|-)([a-z]{2}_[A-Z]{2})-/.exec(basename(path)) ?? [];
  const [, language] = /[-.](en|de|fr|es|it|ja|ko|nl|pl|pt|ru|uk|vi|zh)(?:[-.]|$)/.exec(basename(path)) ?? [];
  const found = region?.replace("_", "-") ?? language;
  return found === undefined ? [] : [found];
}

/** The path of an address. If it has an invalid escape, it stays as it is. */
function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function ofKnown(
  known: KnownModel,
  { name, languages, sha256 }: ModelRequest,
  releases: string,
): ModelSource {
  return {
    name: checkedName(name ?? known.name),
    languages: languages ?? known.languages,
    sha256: checkedSum(sha256) ?? known.sha256,
    from: { url: `${releases}/${known.path}` },
  };
}

/** The known name that a wrong one was probably meant to be. */
function meantName(wrong: string): string | undefined {
  const name = wrong.toLowerCase().replace(/[\s_]+/g, "-");
  const names = knownModels.map((known) => known.name);
  const maxDistance = Math.max(1, Math.floor(name.length / 4));
  return (
    closestMatch(name, names, { maxDistance }) ??
    names.find((known) => name.length > 2 && known.split("-").some((word) => name.split("-").includes(word)))
  );
}

function unknownModel(model: string): AdministrationError {
  const looksLikeFile = /[/\\]|\.(?:bz2|zip|onnx)$/i.test(model);
  const meant = looksLikeFile ? undefined : meantName(model);
  const suggestion = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
  return new AdministrationError(
    "model_unknown",
    looksLikeFile
      ? `There is no file "${model}", and addresses begin with https:// or http://.`
      : `"${model}" is neither a known model, nor an address, nor a file${suggestion}.`,
  );
}

/** The source that an operator means. Throws AdministrationError `model_unknown`, `invalid_name` and `checksum_mismatch`. */
export async function modelSource(request: ModelRequest, releases: string): Promise<ModelSource> {
  const { model, name, languages, sha256 } = request;
  const known = knownModels.find((one) => one.name === model);
  if (known) return ofKnown(known, request, releases);
  const url = /^https?:\/\//.test(model) && URL.canParse(model) ? new URL(model) : null;
  const path = url ? decodedPath(url) : resolve(model);
  if (!url && !(await stat(path).catch(() => null))?.isFile()) throw unknownModel(model);
  const published = knownByFile(path);
  return {
    name: checkedName(name ?? published?.name ?? nameOfFile(path)),
    languages: languages ?? published?.languages ?? languagesOfFile(path),
    sha256: checkedSum(sha256),
    from: url ? { url: url.href } : { file: path },
  };
}
