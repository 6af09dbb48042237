/** A turn of a visitor: what is said, and how long the pauses between are, in ms. */
export interface SpokenTurn {
  readonly kind: "finished" | "pause in a clause" | "thinking" | "dictation" | "two sentences";
  readonly parts: readonly (string | number)[];
}

const turn = (kind: SpokenTurn["kind"], ...parts: readonly (string | number)[]): SpokenTurn => ({
  kind,
  parts,
});

/** Forty turns as people speak them to a shop: most are finished at once, the others have pauses in and after clauses. */
export const spokenTurns: readonly SpokenTurn[] = [
  turn("finished", "How long does delivery take"),
  turn("finished", "Can I pay by card"),
  turn("finished", "Do you deliver to Austria"),
  turn("finished", "How much is the reading chair"),
  turn("finished", "Is it made of real wood"),
  turn("finished", "When are you open on Saturday"),
  turn("finished", "Which one is easier to clean"),
  turn("finished", "I need a table for six people"),
  turn("finished", "Does it come in green"),
  turn("finished", "What happens if it breaks"),
  turn("finished", "Thank you, that was all I wanted to know"),
  turn("finished", "Please show me the smaller one"),
  turn("finished", "Yes please"),
  turn("finished", "No, the other one"),
  turn("pause in a clause", "I would like a chair and", 600, "a table that fits it"),
  turn("pause in a clause", "Do you have this in", 500, "a darker colour"),
  turn("pause in a clause", "I want to know if", 800, "you deliver on Sundays"),
  turn("pause in a clause", "Can you tell me the", 450, "price of the lamp"),
  turn("pause in a clause", "We moved last week because", 700, "the old flat was too small"),
  turn("pause in a clause", "Is there a discount for", 900, "students"),
  turn("pause in a clause", "I have a dog so", 1_200, "which cover is the best"),
  turn("pause in a clause", "It should be soft but", 650, "not too low"),
  turn("pause in a clause", "Can I send it back when", 1_000, "it does not fit"),
  turn("pause in a clause", "I am looking for a", 550, "birthday present"),
  turn("thinking", "I would like um", 1_500, "the blue one"),
  turn("thinking", "Do you have uh", 1_200, "something for the garden"),
  turn("thinking", "The name is um", 1_800, "Miller"),
  turn("thinking", "Well", 900, "I am not sure about the size"),
  turn("thinking", "It was about er", 2_000, "ninety centimetres"),
  turn("dictation", "My number is zero three one six", 500, "five five five", 600, "one two three four"),
  turn("dictation", "The order is four seven", 700, "one nine nine", 500, "eight"),
  turn("dictation", "It is two five six", 450, "three one nine"),
  turn("dictation", "Post code one zero four five", 800, "six"),
  turn("pause in a clause", "I like the oak table", 250, "in the window"),
  turn("pause in a clause", "Where can I", 300, "park my car"),
  turn("pause in a clause", "How many people", 280, "can sit at it"),
  turn("two sentences", "I bought a sofa last year", 450, "Now one leg is broken"),
  turn("two sentences", "That sounds good", 500, "How do I order it"),
  turn("two sentences", "I live on the third floor", 300, "Is there a lift for the sofa"),
  turn("two sentences", "Hello", 320, "Can you help me"),
];
