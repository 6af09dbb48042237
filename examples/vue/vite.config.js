import vue from "@vitejs/plugin-vue";

const isCustomElement = (tag) => tag === "visavis-avatar";

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
