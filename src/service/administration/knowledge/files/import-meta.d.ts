/** What the build makes of the files that a pattern names. */
interface ImportMeta {
  glob<Content>(
    pattern: string,
    options: { query: string; import: "default"; eager: true; exhaustive: true },
  ): Readonly<Record<string, Content>>;
}
