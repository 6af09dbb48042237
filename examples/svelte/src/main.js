import { mount } from "svelte";
import "visavis";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app") });
