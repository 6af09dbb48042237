/**
 * The page that a browser without a window opens: it gives the photograph to the maker's page, as the console does, and sends what was
 * made back. `secret` keeps other users of the machine from the photograph.
 */
export const openerPage = (secret: string): string => `<!doctype html>
<meta charset="utf-8" />
<title>Photograph</title>
<iframe src="/console/photo-maker"></iframe>
<script type="module">
  const base64 = (blob) =>
    new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
      reader.readAsDataURL(blob);
    });
  const send = (answer) => fetch("/${secret}/answer", { method: "POST", body: JSON.stringify(answer) });
  addEventListener("message", async ({ data, origin, source }) => {
    if (origin !== location.origin || data.source !== "visavis-photo-maker") return;
    if (data.type === "ready") {
      const photo = await (await fetch("/${secret}/photograph")).blob();
      const wishes = await (await fetch("/${secret}/wishes")).json();
      source.postMessage({ type: "make", photo, ...wishes }, origin);
    } else if (data.type === "made")
      await send({ ...data, poster: await base64(data.poster), porthole: await base64(data.porthole) });
    else if (data.type === "refused" || data.type === "failed") await send(data);
  });
</script>
`;
