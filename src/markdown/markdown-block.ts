/** A piece of a line. Every text is plain text: nothing in it is markup any more. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "deleted"; readonly children: readonly Inline[] }
  /** `bare`: the text is the address itself. */
  | {
      readonly kind: "link";
      readonly href: string;
      readonly bare: boolean;
      readonly children: readonly Inline[];
    }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "break" };

/** A block of a text. */
export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | {
      readonly kind: "list";
      /** The first item's number; null: the items have none. */
      readonly start: number | null;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" }
  | {
      readonly kind: "table";
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };
