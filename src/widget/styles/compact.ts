import sheet from "./compact.css?inline";

export const css: string = sheet;
