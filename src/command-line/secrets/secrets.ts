import { createHmac, randomBytes, randomInt } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storageError } from "../../service/faults/storage-error.ts";
import type { Settings } from "../settings/settings.ts";
import { createSecretBox, type SecretBox } from "../../service/store/secrets/secret-box.ts";
import { passwordHasher } from "../../service/operator-password.ts";

/** A secret of this installation, created at the first start and stored in a file that only its owner may read. */
interface KeptSecret {
  value: string;
  /** True when it was created just now. */
  isNew: boolean;
}

/** Null if the file does not exist. Throws if it is empty, because everybody would know an empty secret. */
function readSecret(file: string): string | null {
  if (!existsSync(file)) return null;
  const value = readFileSync(file, "utf8").trim();
  if (value === "") throw new Error(`${file} is empty; remove it, and a new secret is made.`);
  return value;
}

/**
 * The secret in `<folder>/<name>`; created by `make` if it does not exist yet. If several processes create it at the same time,
 * all use the one of the first. Throws if the file is empty.
 */
export function keptSecret(folder: string, name: string, make: () => string): KeptSecret {
  const file = join(folder, name);
  const known = readSecret(file);
  if (known !== null) return { value: known, isNew: false };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const value = make();
  let opened: number;
  try {
    opened = openSync(file, "wx", 0o600);
  } catch (error) {
    const others = readSecret(file);
    if (others === null) throw storageError(error, folder);
    return { value: others, isNew: false };
  }
  try {
    writeFileSync(opened, `${value}\n`);
    return { value, isNew: true };
  } catch (error) {
    // A full disk would leave an empty file, which no later start accepts.
    rmSync(file, { force: true });
    throw storageError(error, folder);
  } finally {
    closeSync(opened);
  }
}

/** The name of the file that exists until the secret of that name has been printed. */
const unshown = (name: string): string => `${name}.unshown`;

/** A secret that is printed once, and what to call when it was printed. */
export interface PrintedSecret {
  value: string;
  /** False once it has been printed. A start that fails before the server listens prints nothing, so the next one does. */
  isUnshown: boolean;
  markShown(): void;
}

/** The same as `keptSecret`, for a secret that the first server to listen prints. */
export function printedSecret(folder: string, name: string, make: () => string): PrintedSecret {
  const { value, isNew } = keptSecret(folder, name, make);
  const marker = join(folder, unshown(name));
  if (isNew) writeFileSync(marker, "", { mode: 0o600 });
  return { value, isUnshown: existsSync(marker), markShown: () => rmSync(marker, { force: true }) };
}

/** A secret of which only a hash is kept. */
interface HashedSecret {
  hash: string;
  /** The secret itself, until it has been printed. It is then stored nowhere. */
  secret: string | null;
  markShown(): void;
}

/**
 * The hash in `<folder>/<name>`, of a secret that the first server to listen prints. Until then, `<name>.unshown` keeps the secret,
 * so that it is not lost when a start fails and several processes print the same one.
 */
async function hashedSecret(
  folder: string,
  name: string,
  secrets: {
    make(): string;
    hash(secret: string): Promise<string>;
    matches(secret: string, hash: string): Promise<boolean>;
  },
): Promise<HashedSecret> {
  const file = join(folder, unshown(name));
  const markShown = (): void => rmSync(file, { force: true });
  const known = readSecret(join(folder, name));
  if (known !== null && !existsSync(file)) return { hash: known, secret: null, markShown };
  const secret = keptSecret(folder, unshown(name), () => secrets.make()).value;
  const ownHash = await secrets.hash(secret);
  const { value: hash } = keptSecret(folder, name, () => ownHash);
  // Another process may have made, printed and removed another secret meanwhile.
  if (await secrets.matches(secret, hash)) return { hash, secret, markShown };
  markShown();
  return { hash, secret: null, markShown };
}

/**
 * The secret for one purpose, in hexadecimal: derived from the installation's secret, which several processes share, else a
 * separate one stored in the data folder.
 */
export function purposeSecret(
  { secret, dataFolder }: { secret?: string | undefined; dataFolder: string },
  purpose: "token" | "service" | "relay" | "store",
): string {
  return secret === undefined
    ? keptSecret(dataFolder, `${purpose}-secret`, newTokenSecret).value
    : createHmac("sha256", Buffer.from(secret, "hex")).update(purpose).digest("hex");
}

/** A new key for signing session tokens: 256 random bits in hexadecimal. */
function newTokenSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Without letters and digits that look alike. */
const passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** A new password for the operator: 99 random bits in five groups that can be typed from paper. */
function newPassword(): string {
  const letters = Array.from({ length: 20 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]);
  return letters.join("").replace(/(.{4})(?!$)/g, "$1-");
}

type TokenSettings = Pick<Settings, "relayToken" | "secret" | "dataFolder">;

/** The relay token that the service accepts: from the settings, derived from the shared secret, or stored in the data folder. */
export function ownRelayToken(settings: TokenSettings): string {
  return settings.relayToken ?? purposeSecret(settings, "relay");
}

/** The relay token that a relay in another process sends; undefined if it shares none with the service. */
export function sharedRelayToken(settings: TokenSettings): string | undefined {
  return settings.relayToken ?? (settings.secret && purposeSecret(settings, "relay"));
}

type SecretSettings = Pick<Settings, "secret" | "oldSecrets" | "dataFolder">;

/** The secret that was stored in the data folder before `VISAVIS_SECRET` was set. */
function keptBefore({ secret, dataFolder }: SecretSettings): string[] {
  const file = join(dataFolder, "store-secret");
  return secret !== undefined && existsSync(file) ? [readFileSync(file, "utf8").trim()] : [];
}

/** Encrypts the store's private settings, and decrypts those from before the secret was changed. */
export function storeSecretBox(settings: SecretSettings): SecretBox {
  const { oldSecrets, dataFolder } = settings;
  const older = oldSecrets.map((secret) => purposeSecret({ secret, dataFolder }, "store"));
  return createSecretBox(purposeSecret(settings, "store"), [...older, ...keptBefore(settings)]);
}

/** How the operator logs in. */
export interface OperatorAccess {
  passwordHash: string;
  /** Signs console sessions and links to files. */
  signingSecret: string;
  /** The password, if it was created by this installation and has not been printed yet. */
  newPassword: string | null;
  /** To be called when the password was printed. From then on it is stored nowhere. */
  markShown(): void;
}

/**
 * The operator's password from the settings. Else one that is created at the first start; the data folder keeps only its hash
 * (`operator-password`; without that file a new password is created).
 */
export async function operatorAccess(
  {
    dataFolder,
    password,
    secret,
  }: Pick<Settings, "dataFolder" | "password"> & Partial<Pick<Settings, "secret">>,
  passwords = passwordHasher(),
): Promise<OperatorAccess> {
  const signingSecret = purposeSecret({ secret, dataFolder }, "service");
  // The salt belongs to this installation and is the same at every start, so that sessions survive a restart.
  if (password !== undefined)
    return {
      passwordHash: await passwords.hash(password, signingSecret),
      signingSecret,
      newPassword: null,
      markShown: () => undefined,
    };
  const made = await hashedSecret(dataFolder, "operator-password", {
    make: newPassword,
    hash: (given) => passwords.hash(given),
    matches: (given, hash) => passwords.matches(given, hash),
  });
  return { passwordHash: made.hash, signingSecret, newPassword: made.secret, markShown: made.markShown };
}
