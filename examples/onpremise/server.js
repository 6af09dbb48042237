import express from "express";

const { SERVICE_BASE_URL = "http://localhost:8787", SERVICE_API_KEY, PORT = "3000" } = process.env;

/** Calls the service. The API key stays here. */
function call(path, method = "GET", body = undefined) {
  return fetch(`${SERVICE_BASE_URL}/api/v1/${path}/`, {
    method,
    headers: { "ServicePlatform-APIKey": SERVICE_API_KEY, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Answers as the service has answered. */
async function pass(answer, response) {
  response
    .status(answer.status)
    .type("json")
    .send(await answer.text());
}

const app = express();
app.use(express.json({ limit: "128kb" }));

app.post("/sessions", async (_request, response) => {
  const session = { capability: ["STF_ONPREMISE", "TTS"], model_style: "mina", tts_type: "visavis-slt" };
  await pass(await call("session", "POST", session), response);
});

// What is drawn: the file `character` of the session's model style.
app.get("/sessions/:id/character", async ({ params }, response) => {
  const { model_style } = await (await call(`session/${encodeURIComponent(params.id)}`)).json();
  const { file } = model_style.files.find(({ name }) => name === "character");
  await pass(await fetch(file), response);
});

app.post("/sessions/:id/exchange", async ({ params, body }, response) =>
  pass(await call(`session/${encodeURIComponent(params.id)}/exchange`, "POST", body), response),
);

app.use(express.static("dist"));
app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
