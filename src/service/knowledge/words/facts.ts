/*
 * Kinds of facts that a text states, by their form. A question asks for one of them by its words ("how much", "where"), and the text
 * that answers need not contain these words.
 */

const number = "\\d[\\d.,]{0,15}";
const currency =
  "€|\\$|£|₩|¥|₪|euros?\\b|eur\\b|dollars?\\b|pounds?\\b|pence\\b|cents?\\b|francs?\\b|chf\\b|reais\\b|원|만\\s?원|円|元|شيكل|ريال|درهم";
const some =
  "\\d|\\b(?:one|two|three|four|five|six|ten|a|an|half|zwei|drei|vier|sechs|dos|tres|deux|trois|ein|eine|un|une|due|tre|um|uma|dois)\\b|[두세네]";
const spans =
  "minutes?|mins?|hours?|days?|weeks?|months?|years?|working days|minuten|stunden?|tagen?|wochen?|monaten?|jahren?|werktagen?|minutos?|" +
  "horas?|días?|semanas?|mes(?:es)?|años?|heures?|jours?|semaines?|mois|ans?|minuti|ore|giorni|settimane|mesi|anni|dias?|anos?|" +
  "분|시간|일|주|개월|년|分|時間|日|週間|ヶ月|年|天|小时|小時|周|دقيقة|ساعة|يوم|أسبوع|דקות|שעות|ימים|שבועות";

export const factKinds = ["money", "time", "duration", "place", "contact", "measure", "number"] as const;
/** A kind of fact. */
export type FactKind = (typeof factKinds)[number];

const patterns: Readonly<Record<FactKind, RegExp>> = {
  money: new RegExp(
    `[€$£₩¥₪]\\s?\\d|${number}\\s?(?:${currency})|\\bfree\\b|\\bkostenlos|\\bgratis|\\bgratuit|무료|無料|免费|免費|مجان|חינם|\\d\\s?%`,
    "iu",
  ),
  time: /\b\d{1,2}[:.h]\s?\d{2}\b|\b\d{1,2}\s?(?:am|pm|uhr|h\b|heures?|horas?|ore\b)|\d{1,2}\s?(?:시|時|点|點)|o'clock|\b\d{1,2}\s?[-–]\s?\d{1,2}\b|midnight|noon|\bfrom \d{1,2} to \d{1,2}\b/iu,
  duration: new RegExp(`(?:${some})[\\s-]*(?:${spans})`, "iu"),
  place:
    /\b(?:street|road|avenue|lane|square|floor|building|next to|opposite|behind|station|stop|corner|weg|neben|gegenüber|hinter|etage|stock|calle|avenida|plaza|junto|frente|planta|rue|boulevard|place|quai|étage|face|près|via|piazza|piano|rua|praça|andar)\b|straße|strasse|gasse|platz\b|길\s?\d|로\s?\d|역|층|駅|階|路\d|楼|樓|شارع|רחוב/iu,
  contact: /[\w.+-]{1,64}@[\w-]+\.[\w.]+|\d[\d\s()/.-]{6,20}\d/u,
  measure:
    /\d[\d.,]{0,15}\s?(?:cm|mm|m\b|metres?|meters?|centimetres?|km|kg|g\b|litres?|liter|kilo|kilomet|m²|square|people|persons?|guests|personen|personas|personnes|persone|pessoas|명|평|인)/iu,
  number: /\d/,
};

/** A street or square with the number of a house. */
const address = new RegExp(
  [
    "\\p{L}{1,30}(?:straße|strasse|str\\.|platz|gasse|weg|allee|ring|ufer|damm) \\d",
    "\\d{1,5}[a-z]?,? (?:\\p{L}{1,30} ){1,3}(?:street|road|lane|avenue|square|drive|st\\.|rd\\.|ave\\.)",
    "\\d{1,5},? (?:rue|avenue|boulevard|place|quai|chemin|impasse) ",
    "(?:calle|plaza|avenida|paseo|via|piazza|corso|viale|rua|praça) (?:\\p{L}{1,30} ){1,4}\\d",
    "\\p{L}(?:로|길) ?\\d",
  ].join("|"),
  "iu",
);

/** Whether a text names an address. */
export const namesAddress = (text: string): boolean => address.test(text);

/** Whether a text states a fact of a kind. */
export const says = (kind: FactKind, text: string): boolean => patterns[kind].test(text);
