/** A file's text, which the build embeds. */
declare module "*?raw" {
  const text: string;
  export default text;
}
