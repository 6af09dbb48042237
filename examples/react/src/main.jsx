import { useState } from "react";
import { createRoot } from "react-dom/client";
import "visavis";

function App() {
  const [state, setState] = useState("idle");
  return (
    <>
      <h1>React</h1>
      <p>The avatar is {state}.</p>
      <visavis-avatar
        context-id="ctx_demo"
        relay="http://localhost:8787"
        variant="inline"
        style={{ display: "block", width: 480, height: 480 }}
        onvisavis-statechange={({ detail }) => setState(detail.state)}
      />
    </>
  );
}

createRoot(document.getElementById("app")).render(<App />);
