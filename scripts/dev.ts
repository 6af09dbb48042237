/** `npm run dev`: demo page, viewer and server at one address, with reload on change. `PORT` as for `npm start`. */
import { parseArgs } from "node:util";
import { startDevServer } from "./dev/dev-server.ts";

const { values } = parseArgs({ options: { "pages-only": { type: "boolean", default: false } } });

const dev = await startDevServer({
  root: process.cwd(),
  port: Number(process.env["PORT"] ?? 8787),
  withService: !values["pages-only"],
});
process.stdout.write(
  `\n  Pages with reload   ${dev.origin}/\n${values["pages-only"] ? "" : `  Console             ${dev.origin}/console/\n`}  Widget's gallery    ${dev.origin}/test/widget/gallery/\n\n`,
);

const stop = (): void => void dev.close().then(() => process.exit(0));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
