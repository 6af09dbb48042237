import { connect } from "./connection.js";
import { createFace } from "./face.js";

const form = document.querySelector("#talk");
const state = document.querySelector("#state");
let avatar = null;

/** Begins a session: the first click, so that the browser plays its sound. */
async function begin() {
  const { session_id: id } = await (await fetch("/sessions", { method: "POST" })).json();
  const file = await (await fetch(`/sessions/${id}/character`)).json();
  const face = createFace(file);
  document.querySelector("#avatar").append(face.canvas);
  let speeches = 0;
  const connection = await connect(id, {
    handleTimeline: (timeline, startMs) => face.speak(timeline, startMs),
    handleSpeech: ({ duration }) => {
      const current = ++speeches;
      state.textContent = "speaking";
      setTimeout(() => current === speeches && (state.textContent = "silent"), duration);
    },
  });
  document.querySelector("#voice").srcObject = connection.stream;
  face.start(() => connection.soundDelayMs());
  return connection;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  avatar ??= begin();
  (await avatar).say(form.elements.namedItem("text").value);
});
