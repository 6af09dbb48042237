/** Words in questions that do not help to find an answer. */
export const emptyWords: ReadonlySet<string> = new Set(
  `a an the is are was were be been being am do does did done can could would should will shall may might must
  i you he she it we they me him her us them my your our their his its mine yours this that these those of to in on at
  by for from with into onto and or but if so as than then too very really what which who whom whose when where why how
  much many any some there here have has had having get gets got want wants need like please tell say know about just
  also not no yes ok okay hi hello hey thanks thank find give show look looking help something anything everything
  thing things let lets im ive id dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt whats wheres whens hows whos thats theres youre youd youll hes shes theyre were tell explain mean question ask wonder wondering maybe perhaps right
  well oh um one ones us exactly actually currently today now time number come comes s t re ve ll d m`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Words with the same meaning in a visitor's question. One finds the others, with a slightly lower score. */
export const wordGroups: readonly (readonly string[])[] = [
  ["price", "cost", "expensive", "cheap", "cheaper", "cheapest", "fee", "charge", "euro"],
  ["deliver", "delivery", "ship", "shipping", "shipment", "arrive", "dispatch", "courier"],
  ["return", "refund", "back"],
  ["open", "opening", "hours", "close", "closed", "closing"],
  [
    "size",
    "dimension",
    "wide",
    "width",
    "deep",
    "depth",
    "high",
    "height",
    "tall",
    "big",
    "large",
    "centimetre",
  ],
  ["long", "length", "centimetre"],
  ["weight", "weigh", "heavy", "kilogram"],
  ["color", "shade", "green", "grey", "gray", "red", "blue", "black", "white", "brown", "yellow"],
  ["warranty", "guarantee"],
  ["address", "located", "location", "showroom", "shop", "store", "visit"],
  ["contact", "phone", "telephone", "email", "reach"],
  ["phone", "telephone", "call"],
  ["email", "e-mail", "mail", "write"],
  ["pay", "payment", "card", "instalment", "installment"],
  ["clean", "cleaning", "wash", "stain", "care"],
  ["buy", "purchase", "order"],
  ["discount", "percent", "reduction"],
  ["room", "flat", "apartment", "space"],
  ["small", "tiny", "little", "compact", "narrow"],
  ["recommend", "suggest", "suit", "suitable", "advise", "best"],
  ["material", "made", "wood", "fabric", "oak", "wool", "cotton", "leather", "steel", "metal", "plastic"],
  ["country", "abroad", "international"],
  ["person", "people", "seat"],
];

/** Small words that express relations. They decide between passages that are otherwise equal. */
export const relationWords: ReadonlySet<string> = new Set([
  "to",
  "from",
  "in",
  "at",
  "with",
  "without",
  "before",
  "after",
]);

/** The form of a question hints at words in its answer, even if the question contains none of them. */
export const questionForms: readonly { form: RegExp; answer: readonly string[] }[] = [
  { form: /\bhow much\b(?! time)|\bprices?\b/, answer: ["price", "cost", "euro"] },
  { form: /\bhow (?:long|soon|fast|quick|quickly)\b/, answer: ["take", "day", "week", "within", "delivery"] },
  { form: /\bwhen\b|\bwhat time\b/, answer: ["open", "day", "monday", "week"] },
  { form: /\bwhere\b/, answer: ["address", "location", "located", "station", "street", "road", "at"] },
  { form: /\bhow many people\b/, answer: ["seat", "people"] },
];

/** Word forms that the ending rules do not cover. */
export const irregularForms: ReadonlyMap<string, string> = new Map([
  ["sent", "send"],
  ["bought", "buy"],
  ["paid", "pay"],
  ["sold", "sell"],
  ["took", "take"],
  ["taken", "take"],
  ["came", "come"],
  ["gave", "give"],
  ["kept", "keep"],
  ["children", "child"],
  ["people", "person"],
  ["shelves", "shelf"],
  ["colour", "color"],
  ["colours", "color"],
  ["centimeter", "centimetre"],
  ["centimeters", "centimetre"],
  ["cm", "centimetre"],
  ["kg", "kilogram"],
  ["kilo", "kilogram"],
  ["eur", "euro"],
  ["€", "euro"],
]);
