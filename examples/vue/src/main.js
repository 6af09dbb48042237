import { createApp } from "vue";
import "visavis";
import App from "./App.vue";

createApp(App).mount("#app");
