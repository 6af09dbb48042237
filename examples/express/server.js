import { getRequestListener } from "@hono/node-server";
import express from "express";
import { createRelay, serviceOverHttp } from "visavis/relay";
import { packageAssets } from "visavis/relay/node";

const { SERVICE_BASE_URL, SERVICE_API_KEY, PORT = "3000" } = process.env;
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${PORT}`;

const relay = createRelay({
  service: serviceOverHttp({ baseUrl: SERVICE_BASE_URL ?? "http://localhost:8787", apiKey: SERVICE_API_KEY }),
  // Several instances need the same secret.
  tokenSecret: crypto.getRandomValues(new Uint8Array(32)),
  publicUrl: `${publicUrl}/talk`,
  assets: packageAssets(),
});

const app = express();
app.use("/talk", getRequestListener(relay.fetch));
app.use(express.static("public"));
app.listen(Number(PORT), () => console.log(publicUrl));
