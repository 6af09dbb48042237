import { textLanguages, type TextLanguage } from "../words/tokens.ts";

const exchanges = ["hello", "welcome", "bye", "well", "who", "help", "good", "no", "yes", "insult"] as const;
/** What a message is, if it is no question: the name of its answer among the fixed sentences. */
export type Exchange = (typeof exchanges)[number];

/** A message that is no question. */
interface SmallTalk {
  exchange: Exchange;
  language: TextLanguage;
}

const maxCharacters = 60;

/** English messages have many forms. They must match whole, in lower case and without punctuation. */
const english: readonly (readonly [Exchange, RegExp])[] = [
  [
    "hello",
    /^(?:hi|hello|hey|hiya|hallo|good (?:morning|afternoon|evening|day)|greetings)(?: there| everyone)?$/,
  ],
  [
    "welcome",
    /^(?:(?:ok|okay|great|perfect|super) )?(?:many )?(?:thanks?|thank you|thx|cheers)(?: (?:a lot|so much|very much|you|that helps|(?:that|it) (?:was|is) (?:really |very )?(?:helpful|great|useful|kind)|for (?:that|your help|the help)))*$/,
  ],
  [
    "bye",
    /^(?:(?:thanks|thank you|ok|great) )?(?:(?:good)?bye|bye bye|see you(?: later)?|that's all|that is all|have a (?:nice|good) day)(?: (?:thanks|thank you))?$/,
  ],
  ["well", /^(?:how are you|how are you doing|how do you do|how's it going|what's up)(?: today)?$/],
  [
    "who",
    /^(?:who|what) are you$|^(?:are you|am i (?:talking|speaking|chatting) (?:to|with)) (?:an? )?(?:real|human|person|robot|bot|machine|ai|real person|a real person|human being|computer)$|^what's your name$|^what is your name$/,
  ],
  [
    "help",
    /^(?:help|help me|can you help(?: me)?|what can you do|what do you know|how can you help(?: me)?|what can i ask(?: you)?)$/,
  ],
  [
    "good",
    /^(?:ok|okay|alright|all right|great|good|nice|perfect|cool|i see|got it|understood|fine|super|wonderful|ok (?:great|good|cool|thanks)|very good|that's (?:great|good|fine))$/,
  ],
  ["no", /^(?:no|nope|no thanks|no thank you|nothing|not now)$/],
  ["yes", /^(?:yes|yeah|yep|sure|yes please)$/],
  [
    "insult",
    /^(?:you(?:'re| are)? )?(?:so |really |a |an |just |fucking )*(?:stupid|idiot|useless|dumb|moron|fuck(?:ing)?(?: you| off)?|shit|crap|bullshit|asshole)(?: (?:bot|robot|thing|machine|answer|you))*$/,
  ],
];

/** The same in the other languages: whole messages, in lower case and without punctuation. */
const phrases: Readonly<Partial<Record<TextLanguage, Partial<Record<Exchange, string>>>>> = {
  de: {
    hello: "hallo|hi|hey|guten tag|guten morgen|guten abend|grüß gott|servus|moin|grüezi|hallo zusammen",
    welcome:
      "danke|danke schön|dankeschön|vielen dank|danke sehr|besten dank|danke dir|danke ihnen|danke das hilft|super danke|vielen dank für die hilfe|vielen dank das hilft mir|danke für ihre hilfe|danke für die auskunft",
    bye: "tschüss|tschüs|auf wiedersehen|bis bald|bis dann|ciao|schönen tag noch|danke tschüss|das war's|das wars",
    well: "wie geht es dir|wie geht's|wie geht's dir|wie gehts dir|wie geht's ihnen|wie gehts|wie geht es ihnen|na wie geht's",
    who: "wer bist du|wer sind sie|wie heißt du|wie heißen sie|bist du ein mensch|sind sie ein mensch|bist du echt|bist du ein roboter|bist du ein bot|bist du eine ki|sind sie eine ki|sind sie ein roboter|sind sie eine echte person|bist du eine echte person",
    help: "hilfe|kannst du mir helfen|können sie mir helfen|was kannst du|was können sie|was weißt du",
    good: "ok|okay|gut|alles klar|super|prima|perfekt|schön|verstanden|in ordnung|klasse|toll|sehr gut",
    no: "nein|nein danke|nichts|jetzt nicht|nö",
    yes: "ja|ja bitte|klar|gerne|gern|jawohl",
    insult:
      "du bist dumm|dumm|blöd|idiot|scheiße|du idiot|du bist blöd|du bist nutzlos|nutzlos|so ein mist|halt die klappe",
  },
  es: {
    hello: "hola|buenos días|buenas tardes|buenas noches|buenas|hola buenos días|hola buenas tardes|qué tal",
    welcome:
      "gracias|muchas gracias|mil gracias|gracias por su ayuda|gracias por la ayuda|perfecto gracias|vale gracias|ok gracias|muy amable|muchas gracias muy amable",
    bye: "adiós|hasta luego|hasta pronto|chao|nos vemos|eso es todo|que tenga un buen día|gracias adiós",
    well: "cómo estás|cómo está|cómo está usted|cómo te va",
    who: "quién eres|quién es usted|cómo te llamas|cómo se llama|eres una persona|eres humano|eres un robot|eres un bot|eres real|eres una persona real|es usted una persona|eres una ia|estoy hablando con una persona",
    help: "ayuda|ayúdame|puedes ayudarme|puede ayudarme|qué puedes hacer|qué sabes",
    good: "vale|ok|bien|perfecto|genial|de acuerdo|muy bien|estupendo|entendido",
    no: "no|no gracias|nada|ahora no",
    yes: "sí|si|sí por favor|claro",
    insult:
      "idiota|tonto|inútil|eres tonto|eres inútil|eres idiota|mierda|vete a la mierda|estúpido|eres estúpido",
  },
  fr: {
    hello: "bonjour|bonsoir|salut|coucou|bonjour à tous|hello",
    welcome:
      "merci|merci beaucoup|un grand merci|merci bien|merci pour votre aide|super merci|parfait merci|d'accord merci|ok merci|merci c'est gentil|merci ça m'aide",
    bye: "au revoir|à bientôt|à plus|bonne journée|bonne soirée|c'est tout|merci au revoir|adieu",
    well: "ça va|comment ça va|comment allez vous|comment vas tu|vous allez bien",
    who: "qui es tu|qui êtes vous|tu es qui|comment t'appelles tu|comment vous appelez vous|êtes vous une personne|es tu humain|êtes vous humain|es tu un robot|êtes vous un robot|vous êtes un robot|êtes vous une vraie personne|tu es un robot|êtes vous une ia",
    help: "aide|aidez moi|aide moi|pouvez vous m'aider|tu peux m'aider|que savez vous faire|que peux tu faire",
    good: "d'accord|ok|bien|très bien|parfait|super|génial|entendu|compris",
    no: "non|non merci|rien|pas maintenant",
    yes: "oui|oui s'il vous plaît|bien sûr|volontiers",
    insult: "idiot|stupide|nul|tu es nul|vous êtes nul|merde|imbécile|inutile|tu es stupide|c'est nul",
  },
  it: {
    hello: "ciao|buongiorno|buonasera|salve|buon giorno|buona sera",
    welcome: "grazie|grazie mille|molte grazie|tante grazie|grazie per l'aiuto|perfetto grazie|ok grazie",
    bye: "arrivederci|a presto|addio|buona giornata|è tutto|ci vediamo",
    well: "come stai|come sta|come va|tutto bene",
    who: "chi sei|chi è lei|come ti chiami|come si chiama|sei una persona|sei umano|sei un robot|sei un bot|sei reale|sei una ia",
    help: "aiuto|aiutami|puoi aiutarmi|può aiutarmi|cosa sai fare",
    good: "va bene|ok|bene|perfetto|ottimo|d'accordo|capito|molto bene",
    no: "no|no grazie|niente|non ora",
    yes: "sì|si|sì grazie|certo|volentieri",
    insult: "stupido|idiota|inutile|sei stupido|sei inutile|merda|vaffanculo",
  },
  pt: {
    hello: "olá|oi|bom dia|boa tarde|boa noite|oi tudo bem",
    welcome:
      "obrigado|obrigada|muito obrigado|muito obrigada|valeu|obrigado pela ajuda|obrigada pela ajuda|ok obrigado",
    bye: "tchau|adeus|até logo|até mais|até breve|é só isso|tenha um bom dia",
    well: "como vai|como você está|tudo bem|como está",
    who: "quem é você|qual é o seu nome|qual o seu nome|você é uma pessoa|você é humano|você é um robô|você é real|é um robô|você é uma ia",
    help: "ajuda|me ajuda|me ajude|pode me ajudar|você pode me ajudar|o que você sabe fazer",
    good: "ok|certo|bom|perfeito|ótimo|tá bom|entendi|muito bem|legal",
    no: "não|não obrigado|não obrigada|nada|agora não",
    yes: "sim|sim por favor|claro|com certeza",
    insult: "idiota|burro|inútil|você é burro|você é inútil|merda|estúpido",
  },
  ko: {
    hello: "안녕|안녕하세요|안녕하십니까|반갑습니다|여보세요",
    welcome:
      "감사합니다|고맙습니다|고마워요|고마워|감사해요|정말 감사합니다|정말 고마워요|네 감사합니다|알려주셔서 감사합니다|도와주셔서 감사합니다",
    bye: "안녕히 계세요|안녕히 가세요|잘 있어요|다음에 봐요|수고하세요|그게 다예요",
    well: "잘 지내세요|잘 지내|어떻게 지내세요|기분이 어때요",
    who: "누구세요|누구야|이름이 뭐예요|이름이 뭐야|사람이에요|사람인가요|로봇이에요|로봇인가요|진짜 사람이에요|진짜 사람인가요|ai예요|ai인가요|넌 누구야|당신은 누구세요",
    help: "도와주세요|도와줘|뭘 할 수 있어요|무엇을 할 수 있나요|뭘 물어볼 수 있어요",
    good: "네 알겠습니다|알겠습니다|알겠어요|좋아요|오케이|그렇군요|좋습니다|완벽해요",
    no: "아니요|아니오|아니|괜찮아요|없어요|됐어요",
    yes: "네|예|응|그래요|물론이죠",
    insult: "바보|멍청이|쓸모없어|바보야|멍청해|꺼져|짜증나",
  },
  ja: {
    hello: "こんにちは|こんばんは|おはよう|おはようございます|はじめまして|やあ|もしもし",
    welcome:
      "ありがとう|ありがとうございます|ありがとうございました|どうも|どうもありがとうございます|助かりました",
    bye: "さようなら|じゃあね|またね|失礼します|以上です|バイバイ",
    well: "元気ですか|お元気ですか|調子はどうですか",
    who: "あなたは誰ですか|だれですか|誰ですか|お名前は|名前は何ですか|人間ですか|ロボットですか|aiですか|本物の人ですか",
    help: "助けて|手伝って|何ができますか|何を聞けますか",
    good: "わかりました|了解|了解です|いいですね|オーケー|なるほど",
    no: "いいえ|いえ|結構です|大丈夫です|ありません",
    yes: "はい|ええ|お願いします|もちろん",
    insult: "ばか|バカ|馬鹿|役に立たない|くそ|使えない",
  },
  zh: {
    hello: "你好|您好|嗨|早上好|晚上好|下午好|早安|午安|晚安|哈囉|哈喽",
    welcome: "谢谢|謝謝|多谢|多謝|非常感谢|非常感謝|谢谢你|謝謝你|谢谢您|謝謝您|感谢|感謝",
    bye: "再见|再見|拜拜|回头见|回頭見|没有了|沒有了",
    well: "你好吗|你好嗎|您好吗|您好嗎|最近怎么样|最近怎麼樣",
    who: "你是谁|你是誰|您是谁|您是誰|你叫什么|你叫什麼|你叫什么名字|你叫什麼名字|你是真人吗|你是真人嗎|你是机器人吗|你是機器人嗎|你是人吗|你是人嗎",
    help: "帮助|幫助|帮帮我|幫幫我|你能做什么|你能做什麼|你会什么|你會什麼",
    good: "好的|好|知道了|明白了|不错|不錯|很好|可以",
    no: "不|不用|不用了|没有|沒有|不需要",
    yes: "是|是的|对|對|好啊|当然|當然",
    insult: "笨蛋|白痴|傻瓜|没用|沒用|废物|廢物|滚|滾",
  },
  ar: {
    hello: "مرحبا|مرحبًا|أهلا|أهلًا|السلام عليكم|صباح الخير|مساء الخير|هلا",
    welcome: "شكرا|شكرًا|شكرا جزيلا|شكرًا جزيلًا|شكرا لك|مشكور",
    bye: "مع السلامة|وداعا|إلى اللقاء|هذا كل شيء|باي",
    well: "كيف حالك|كيف الحال|كيفك",
    who: "من أنت|ما اسمك|هل أنت إنسان|هل أنت روبوت|هل أنت حقيقي",
    help: "مساعدة|ساعدني|هل يمكنك مساعدتي|ماذا يمكنك أن تفعل",
    good: "حسنا|حسنًا|جيد|تمام|ممتاز|فهمت",
    no: "لا|لا شكرا|لا شيء|ليس الآن",
    yes: "نعم|أجل|بالتأكيد|نعم من فضلك",
    insult: "غبي|أحمق|أنت غبي|عديم الفائدة",
  },
  he: {
    hello: "שלום|היי|הי|בוקר טוב|ערב טוב|צהריים טובים",
    welcome: "תודה|תודה רבה|המון תודה|תודה לך|תודה על העזרה",
    bye: "להתראות|ביי|יום טוב|זה הכל|נתראה",
    well: "מה שלומך|מה נשמע|מה קורה|איך אתה",
    who: "מי אתה|מי את|איך קוראים לך|מה השם שלך|אתה אדם|אתה רובוט|אתה אמיתי|את אמיתית",
    help: "עזרה|אפשר עזרה|תעזור לי|מה אתה יודע לעשות",
    good: "בסדר|טוב|אוקיי|מצוין|הבנתי|סבבה|יופי",
    no: "לא|לא תודה|כלום|לא עכשיו",
    yes: "כן|בטח|כן בבקשה|כמובן",
    insult: "טיפש|אידיוט|חסר תועלת|אתה טיפש",
  },
};

/** A wish for a person, in any of the languages. */
const person =
  /\b(?:talk|speak|chat|connect|put me through|get me|transfer)\b.{0,30}\b(?:human|person|someone|somebody|staff|agent|employee|representative|people|manager|owner|operator)\b|\b(?:real|actual) (?:person|human)\b(?!\s*$)|^(?:a )?(?:human|real person|person|agent|operator)(?: please)?$|\bhuman please\b|(?:mit|einen|einem|einer) (?:echten |richtigen )?(?:menschen|mitarbeiter\w*|jemandem|person|berater\w*).{0,20}(?:sprechen|reden|verbinden|erreichen)|jemand(?:em|en)?(?: \p{L}+){0,2} (?:sprechen|reden|erreichen)|hablar con (?:una|un|alg|el|la)|atienda (?:una|alg)|(?:parler|discuter) (?:à|avec) (?:un|une|quelqu)|joindre quelqu|parlare con (?:una|un|qualc)|falar com (?:uma|um|algu)|(?:사람|직원|상담원|상담사|담당자|누군가).{0,10}(?:통화|연결|이야기|얘기|상담|말|바꿔|대화)|(?:人|スタッフ|担当者?|係).{0,6}(?:話し|繋い|つない|代わ)|人工客服|转人工|轉人工|真人客服|(?:التحدث|أتحدث|أكلم).{0,10}(?:شخص|موظف|إنسان)|לדבר עם (?:מישהו|אדם|נציג|בן אדם)/iu;

const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** A wish to be called, or to call. */
const call =
  /\b(?:need|want|get|have|is there|reach)\b.{0,40}\bon the (?:phone|line)\b|\bcall(?:ed)? (?:me|you|us) ?back\b|\b(?:please|somebody|someone|can you|could you) (?:call|phone|ring) me\b|\b(?:someone|somebody|anyone|who(?:m)?) (?:(?:that )?I can|can I|to) (?:call|phone|ring|talk to|speak to|ask)\b|rückruf|(?:rufen?|ruft)(?: \p{L}+){0,3} (?:zurück|mich an)|wen kann ich (?:anrufen|fragen)|(?:que )?me (?:llamen|llame|llamáis)|a quién (?:puedo llamar|llamo)|rappelez-moi|me rappeler|qui puis-je appeler|(?:richiamatemi|mi richiam)|me (?:liguem|ligue de volta)|전화해 ?주|전화 ?좀 ?(?:주|해)|折り返し|回电|回電/iu;

/** Whether the visitor wants a person instead. */
export function wantsPerson(text: string): boolean {
  const said = text.replace(/[?!.¿¡]+/g, "");
  return person.test(said) || call.test(said);
}

/** A question about what the avatar was told, in any of the languages. */
const instructions =
  /\b(?:system|hidden) (?:prompt|instructions)|\byour (?:own |exact |private |secret |initial |original )?(?:prompt|instructions)\b|\b(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:instructions|rules|prompt)\b|\b(?:were you|have you been|you were|you have been) (?:told|instructed)\b|system-?prompt|(?:deine|ihre|vorherigen?|bisherigen?)n? (?:system)?(?:anweisungen|instruktionen)|(?:tus|sus) instrucciones|instrucciones (?:del sistema|anteriores)|(?:tes|vos) (?:instructions|consignes)|instructions (?:précédentes|système)|(?:tue|sue|vostre) istruzioni|(?:tuas|suas) instruções|시스템 ?프롬프트|(?:너의|네|당신의|받은) ?(?:지시|지침|프롬프트)|システム ?プロンプト|あなたの(?:指示|プロンプト)|(?:系统|系統)提示|[你您]的(?:指令|提示[词詞])|تعليماتك|موجه النظام|ההוראות שלך|הנחיות המערכת/iu;

/** Whether the visitor asks for the owner's private instructions: no text is meant, and none of them is said. */
export const asksForInstructions = (text: string): boolean => instructions.test(text);

const emergencies =
  "emergenc|urgent|urgenc|notfall|notdienst|notruf|dringend|emergenz|emergênc|urgên|응급|긴급|위급|급해|緊急|急診|急诊|救急|急患|طوارئ|عاجل|חירום|דחוף";
/** Words of a visitor who cannot wait for the opening hours. */
const cannotWait = new RegExp(
  `${emergencies}|\\bright now\\b|\\bimmediately\\b|\\bat night\\b|\\bof the night\\b|\\b[1-5](?:[:.]\\d\\d)? (?:am\\b|in the morning|uhr (?:nachts|morgens|früh))|sofort|mitten in der nacht|de la noche|en pleine nuit|새벽|한밤|今すぐ|夜中|半夜`,
  "iu",
);
/** Words of a text about those who are there at any time. */
const alwaysThere = new RegExp(
  `${emergencies}|\\b24[ -]?(?:hours|h\\b|stunden|horas|heures|ore\\b|/ ?7)|24 ?(?:시간|時間|小时|小時)|round the clock|rund um die uhr|out of hours`,
  "iu",
);

/** Whether a visitor cannot wait for the opening hours. */
export const isEmergency = (text: string): boolean => cannotWait.test(text);
/** Whether a text speaks of emergencies, or of help at any time. */
export const helpsAnytime = (text: string): boolean => alwaysThere.test(text);

const byPhrase: ReadonlyMap<string, SmallTalk[]> = (() => {
  const made = new Map<string, SmallTalk[]>();
  for (const language of textLanguages)
    for (const exchange of exchanges)
      for (const phrase of phrases[language]?.[exchange]?.split("|") ?? [])
        made.set(bare(phrase), [...(made.get(bare(phrase)) ?? []), { exchange, language }]);
  return made;
})();

const justEmoji = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\s)+$/u;

function exchangeOf(said: string, usual: TextLanguage): SmallTalk | null {
  const known = byPhrase.get(said) ?? [];
  const own = known.find(({ language }) => language === usual);
  if (own) return own;
  const exchange = english.find(([, form]) => form.test(said))?.[0];
  if (exchange !== undefined) return { exchange, language: known.length === 0 ? "en" : usual };
  return known[0] ?? null;
}

/**
 * What a message is that is no question, and its language; null for one that contains anything more. `usual`: the language that the
 * visitor uses. `name`: of the avatar.
 */
export function smallTalk(
  text: string,
  { usual = "en", name = "" }: { usual?: TextLanguage; name?: string | undefined } = {},
): SmallTalk | null {
  if (/\p{Extended_Pictographic}/u.test(text) && justEmoji.test(text))
    return { exchange: "good", language: usual };
  const whole = bare(text);
  if (whole.length > maxCharacters) return null;
  const called = bare(name);
  const withoutName = (said: string) =>
    called === "" ? said : ` ${said} `.replace(` ${called} `, " ").trim();
  const known = exchangeOf(withoutName(whole), usual);
  if (known) return known;
  // "Good evening! How are you?"
  const parts = text.split(/[.,;!?…]+/).map((part) => withoutName(bare(part)));
  const said = parts.filter((part) => part !== "").map((part) => exchangeOf(part, usual));
  return said.length > 1 && !said.includes(null) ? (said.at(-1) ?? null) : null;
}
