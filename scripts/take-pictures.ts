/**
 * Takes the documentation's pictures of the real widget, after `npm run build`: `npx tsx scripts/take-pictures.ts [readme | context [key …] | console [name …]]`.
 * `readme`: docs/picture.jpg and docs/answer.gif. `context`: docs/pictures/, one for each row of `pictures/context-pictures.ts`, or
 * for these keys. `console`: the pictures of docs/console.md, or those with these names.
 */
import { openBenchStage } from "../bench/browser.ts";
import { takeConsolePictures } from "./pictures/take-console-pictures.ts";
import { takeContextPictures } from "./pictures/take-context-pictures.ts";
import { takeReadmePictures } from "./pictures/take-readme-pictures.ts";

const [which, ...keys] = process.argv.slice(2);
const stage = await openBenchStage();
try {
  const isChosen = (name: string): boolean => which === undefined || which === name;
  if (isChosen("readme")) await takeReadmePictures(stage);
  if (isChosen("context")) await takeContextPictures(stage, keys);
  if (isChosen("console")) await takeConsolePictures(stage.browser, keys);
} finally {
  await stage.close();
}
