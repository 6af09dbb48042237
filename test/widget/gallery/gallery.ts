import { galleryStates, pageLooks } from "./states.ts";

/** Shows every state of the widget in every look. `?state=speaking` shows one state, `?look=dark` one look. */
const query = new URLSearchParams(location.search);

function wanted<Entry>(entries: Readonly<Record<string, Entry>>, key: string): [string, Entry][] {
  const only = query.get(key);
  return Object.entries(entries).filter(([name]) => only === null || name === only);
}

function link(name: string, key: string): HTMLElement {
  const found = document.createElement("a");
  found.href = `?${new URLSearchParams({ [key]: name }).toString()}`;
  found.textContent = name;
  return found;
}

for (const [state] of wanted(galleryStates, "state")) {
  const section = document.createElement("section");
  const title = document.createElement("h2");
  title.append(link(state, "state"));
  const row = document.createElement("div");
  row.className = "row";
  for (const [look, { width, height, query: asked }] of wanted(pageLooks, "look")) {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.append(link(look, "look"));
    const frame = document.createElement("iframe");
    frame.title = `${state}, ${look}`;
    frame.width = String(width);
    frame.height = String(height);
    frame.loading = "lazy";
    frame.src = `state.html?${new URLSearchParams({ state, ...asked }).toString()}`;
    figure.append(caption, frame);
    row.append(figure);
  }
  section.append(title, row);
  document.querySelector("main")?.append(section);
}
