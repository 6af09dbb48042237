import { ConsoleApplication } from "./shell/console-application.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import { loadTexts } from "./texts/texts.ts";
import { startTheme } from "./theme.ts";

startTheme();
await loadTexts();
customElements.define("visavis-console", ConsoleApplication);
