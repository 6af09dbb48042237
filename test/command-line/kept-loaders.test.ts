import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepLoader, withKeptLoaders } from "../../src/command-line/run-relay.ts";
import { loaderAddress } from "../../src/protocol/page/loader-address.ts";
import { folderAssets } from "../../src/relay/assets/folder-assets.ts";
import { temporaryFolder } from "../service/service-fixture.ts";

test("the loader of an earlier build is still served after an update", async () => {
  const [publicFolder, dataFolder] = [temporaryFolder(), temporaryFolder()];
  const assets = folderAssets(publicFolder);
  const build = async (text: string) => {
    writeFileSync(join(publicFolder, "embed.js"), text);
    await keepLoader(assets, dataFolder);
    return loaderAddress(createHash("sha384").update(text).digest("base64")).version;
  };
  const first = await build("first();");
  const second = await build("the second build();");
  await keepLoader(assets, dataFolder);
  const all = withKeptLoaders(assets, dataFolder);
  const text = async (path: string) => new TextDecoder().decode((await all.read(path))?.body);
  expect(await text(`loaders/${first}.js`)).toBe("first();");
  expect(await text(`loaders/${second}.js`)).toBe("the second build();");
  expect(await text("embed.js")).toBe("the second build();");
  expect(readdirSync(join(dataFolder, "loaders")).toSorted()).toEqual(
    [`${first}.js`, `${second}.js`].toSorted(),
  );
});

test("a relay without a build keeps no loader, and serves no other file of the data folder", async () => {
  const dataFolder = temporaryFolder();
  writeFileSync(join(dataFolder, "api-key"), "secret");
  const assets = folderAssets(temporaryFolder());
  await keepLoader(assets, dataFolder);
  expect(readdirSync(dataFolder)).toEqual(["api-key"]);
  expect(await withKeptLoaders(assets, dataFolder).read("loaders/../api-key")).toBeNull();
  expect(await withKeptLoaders(assets, dataFolder).read("api-key")).toBeNull();
});
