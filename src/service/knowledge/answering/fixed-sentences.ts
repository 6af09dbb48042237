import type { TextLanguage } from "../words/tokens.ts";
import { languageOfTag } from "../words/text-language.ts";

/** What is said without any text of the owner. */
export interface FixedSentences {
  hello: string;
  welcome: string;
  bye: string;
  well: string;
  who: string;
  help: string;
  good: string;
  no: string;
  yes: string;
  insult: string;
  /** Nothing was asked. */
  ask: string;
  unknown: string;
  /** A quote follows that may not be meant. */
  related: string;
  /** `{choices}`: up to three headings or questions. */
  unsure: string;
  /** Ways to reach a person follow. */
  contact: string;
  noContact: string;
  /** `{language}`: the language of the quote that follows. */
  otherLanguage: string;
}

/** The languages of the sentences: those of the texts, with both scripts of Chinese. */
export type SentenceLanguage = Exclude<TextLanguage, "zh"> | "zh-Hans" | "zh-Hant";

const sentences: Readonly<Record<SentenceLanguage, FixedSentences>> = {
  en: {
    hello: "Hello. What would you like to know?",
    welcome: "You're welcome. Is there anything else you'd like to know?",
    bye: "Goodbye, and thank you for talking with me.",
    well: "I'm well, thank you. What would you like to know?",
    who: "I'm an AI assistant, not a person. I answer from the information I was given.",
    help: "I answer questions from the information I was given. What would you like to know?",
    good: "Good. What else would you like to know?",
    no: "All right. I'm here if you need me.",
    yes: "Gladly. What would you like to know?",
    insult: "I'm sorry that I couldn't help. What are you looking for?",
    ask: "What would you like to know?",
    unknown: "I don't have an answer to that in the information I was given. Could you ask in other words?",
    related: "I don't have an exact answer to that, but this may help.",
    unsure: "I don't have a certain answer to that. Do you mean {choices}?",
    contact: "You can reach a person here:",
    noContact: "I don't have any contact details in the information I was given.",
    otherLanguage: "My information is in {language}:",
  },
  de: {
    hello: "Hallo. Was möchten Sie wissen?",
    welcome: "Gern geschehen. Möchten Sie noch etwas wissen?",
    bye: "Auf Wiedersehen, und danke für das Gespräch.",
    well: "Danke, gut. Was möchten Sie wissen?",
    who: "Ich bin ein KI-Assistent, kein Mensch. Ich antworte aus den Texten, die ich bekommen habe.",
    help: "Ich beantworte Fragen aus den Texten, die ich bekommen habe. Was möchten Sie wissen?",
    good: "Gut. Was möchten Sie noch wissen?",
    no: "In Ordnung. Ich bin da, wenn Sie mich brauchen.",
    yes: "Gern. Was möchten Sie wissen?",
    insult: "Es tut mir leid, dass ich nicht helfen konnte. Was suchen Sie?",
    ask: "Was möchten Sie wissen?",
    unknown: "Dazu habe ich keine Antwort in meinen Texten. Können Sie anders fragen?",
    related: "Dazu habe ich keine genaue Antwort, aber vielleicht hilft das.",
    unsure: "Dazu habe ich keine sichere Antwort. Meinen Sie {choices}?",
    contact: "So erreichen Sie einen Menschen:",
    noContact: "In meinen Texten habe ich keine Kontaktdaten.",
    otherLanguage: "Meine Texte sind auf {language}:",
  },
  es: {
    hello: "Hola. ¿Qué le gustaría saber?",
    welcome: "De nada. ¿Quiere saber algo más?",
    bye: "Adiós, y gracias por hablar conmigo.",
    well: "Muy bien, gracias. ¿Qué le gustaría saber?",
    who: "Soy un asistente de IA, no una persona. Respondo con la información que me han dado.",
    help: "Respondo preguntas con la información que me han dado. ¿Qué le gustaría saber?",
    good: "Bien. ¿Qué más le gustaría saber?",
    no: "De acuerdo. Aquí estoy si me necesita.",
    yes: "Con gusto. ¿Qué le gustaría saber?",
    insult: "Siento no haber podido ayudar. ¿Qué busca?",
    ask: "¿Qué le gustaría saber?",
    unknown: "No tengo una respuesta a eso en mis textos. ¿Puede preguntarlo de otra manera?",
    related: "No tengo una respuesta exacta a eso, pero esto puede ayudar.",
    unsure: "No tengo una respuesta segura a eso. ¿Se refiere a {choices}?",
    contact: "Así puede hablar con una persona:",
    noContact: "No tengo datos de contacto en mis textos.",
    otherLanguage: "Mi información está en {language}:",
  },
  fr: {
    hello: "Bonjour. Que souhaitez-vous savoir ?",
    welcome: "Je vous en prie. Souhaitez-vous savoir autre chose ?",
    bye: "Au revoir, et merci de m'avoir parlé.",
    well: "Très bien, merci. Que souhaitez-vous savoir ?",
    who: "Je suis un assistant IA, pas une personne. Je réponds avec les informations que j'ai reçues.",
    help: "Je réponds aux questions avec les informations que j'ai reçues. Que souhaitez-vous savoir ?",
    good: "Bien. Que souhaitez-vous savoir d'autre ?",
    no: "D'accord. Je suis là si vous avez besoin de moi.",
    yes: "Volontiers. Que souhaitez-vous savoir ?",
    insult: "Je regrette de ne pas avoir pu aider. Que cherchez-vous ?",
    ask: "Que souhaitez-vous savoir ?",
    unknown: "Je n'ai pas de réponse à cela dans mes textes. Pouvez-vous demander autrement ?",
    related: "Je n'ai pas de réponse exacte à cela, mais ceci peut aider.",
    unsure: "Je n'ai pas de réponse sûre à cela. Voulez-vous dire {choices} ?",
    contact: "Voici comment joindre une personne :",
    noContact: "Je n'ai pas de coordonnées dans mes textes.",
    otherLanguage: "Mes informations sont en {language} :",
  },
  it: {
    hello: "Buongiorno. Che cosa desidera sapere?",
    welcome: "Prego. Desidera sapere altro?",
    bye: "Arrivederci, e grazie per aver parlato con me.",
    well: "Bene, grazie. Che cosa desidera sapere?",
    who: "Sono un assistente IA, non una persona. Rispondo con le informazioni che ho ricevuto.",
    help: "Rispondo alle domande con le informazioni che ho ricevuto. Che cosa desidera sapere?",
    good: "Bene. Che cos'altro desidera sapere?",
    no: "Va bene. Sono qui se ha bisogno di me.",
    yes: "Volentieri. Che cosa desidera sapere?",
    insult: "Mi dispiace di non aver potuto aiutare. Che cosa cerca?",
    ask: "Che cosa desidera sapere?",
    unknown: "Non ho una risposta a questo nei miei testi. Può chiederlo in altre parole?",
    related: "Non ho una risposta precisa a questo, ma forse questo aiuta.",
    unsure: "Non ho una risposta sicura a questo. Intende {choices}?",
    contact: "Così può raggiungere una persona:",
    noContact: "Non ho dati di contatto nei miei testi.",
    otherLanguage: "Le mie informazioni sono in {language}:",
  },
  pt: {
    hello: "Olá. O que você gostaria de saber?",
    welcome: "De nada. Gostaria de saber mais alguma coisa?",
    bye: "Até logo, e obrigado por conversar comigo.",
    well: "Muito bem, obrigado. O que você gostaria de saber?",
    who: "Sou um assistente de IA, não uma pessoa. Respondo com as informações que recebi.",
    help: "Respondo perguntas com as informações que recebi. O que você gostaria de saber?",
    good: "Certo. O que mais você gostaria de saber?",
    no: "Tudo bem. Estou aqui se precisar.",
    yes: "Com prazer. O que você gostaria de saber?",
    insult: "Lamento não ter conseguido ajudar. O que você procura?",
    ask: "O que você gostaria de saber?",
    unknown: "Não tenho uma resposta para isso nos meus textos. Pode perguntar de outra forma?",
    related: "Não tenho uma resposta exata para isso, mas isto pode ajudar.",
    unsure: "Não tenho uma resposta certa para isso. Você quer dizer {choices}?",
    contact: "Assim você fala com uma pessoa:",
    noContact: "Não tenho dados de contato nos meus textos.",
    otherLanguage: "Minhas informações estão em {language}:",
  },
  ko: {
    hello: "안녕하세요. 무엇이 궁금하신가요?",
    welcome: "천만에요. 더 궁금한 것이 있으신가요?",
    bye: "안녕히 가세요. 이야기 나눠 주셔서 고맙습니다.",
    well: "네, 잘 지냅니다. 무엇이 궁금하신가요?",
    who: "저는 사람이 아니라 AI 안내원입니다. 받은 글을 바탕으로 답합니다.",
    help: "받은 글을 바탕으로 질문에 답합니다. 무엇이 궁금하신가요?",
    good: "좋습니다. 더 궁금한 것이 있으신가요?",
    no: "알겠습니다. 필요하시면 말씀해 주세요.",
    yes: "네, 무엇이 궁금하신가요?",
    insult: "도움이 되지 못해 죄송합니다. 무엇을 찾고 계신가요?",
    ask: "무엇이 궁금하신가요?",
    unknown: "죄송하지만 제가 받은 글에는 그에 대한 정보가 없습니다. 다르게 물어봐 주시겠어요?",
    related: "정확한 답변은 없지만, 이 내용이 도움이 될 수 있습니다.",
    unsure: "확실한 답변은 없습니다. {choices} 중에서 찾으시는 것이 있나요?",
    contact: "담당자에게는 이렇게 연락하실 수 있습니다.",
    noContact: "제가 받은 글에는 연락처 정보가 없습니다.",
    otherLanguage: "제가 받은 글은 {language}로 되어 있습니다.",
  },
  ja: {
    hello: "こんにちは。何をお知りになりたいですか。",
    welcome: "どういたしまして。ほかに知りたいことはありますか。",
    bye: "さようなら。お話しいただきありがとうございました。",
    well: "はい、元気です。何をお知りになりたいですか。",
    who: "私は人間ではなく、AIアシスタントです。いただいた情報をもとにお答えします。",
    help: "いただいた情報をもとに質問にお答えします。何をお知りになりたいですか。",
    good: "わかりました。ほかに知りたいことはありますか。",
    no: "わかりました。必要なときはお声がけください。",
    yes: "はい、何をお知りになりたいですか。",
    insult: "お役に立てず申し訳ありません。何をお探しですか。",
    ask: "何をお知りになりたいですか。",
    unknown: "いただいた情報には、その答えがありません。別の言葉で聞いていただけますか。",
    related: "正確な答えはありませんが、こちらが参考になるかもしれません。",
    unsure: "確かな答えがありません。{choices}のことでしょうか。",
    contact: "担当者へのご連絡はこちらです。",
    noContact: "いただいた情報には連絡先がありません。",
    otherLanguage: "私の情報は{language}で書かれています。",
  },
  "zh-Hans": {
    hello: "您好。您想了解什么？",
    welcome: "不客气。您还想了解什么吗？",
    bye: "再见，谢谢您和我交谈。",
    well: "我很好，谢谢。您想了解什么？",
    who: "我是人工智能助手，不是真人。我根据得到的资料回答。",
    help: "我根据得到的资料回答问题。您想了解什么？",
    good: "好的。您还想了解什么？",
    no: "好的。需要时请随时找我。",
    yes: "好的。您想了解什么？",
    insult: "很抱歉没能帮到您。您在找什么？",
    ask: "您想了解什么？",
    unknown: "我得到的资料里没有这个问题的答案。您可以换个说法吗？",
    related: "我没有确切的答案，但这也许有帮助。",
    unsure: "我没有确定的答案。您是指{choices}吗？",
    contact: "您可以这样联系工作人员：",
    noContact: "我得到的资料里没有联系方式。",
    otherLanguage: "我的资料是{language}：",
  },
  "zh-Hant": {
    hello: "您好。您想了解什麼？",
    welcome: "不客氣。您還想了解什麼嗎？",
    bye: "再見，謝謝您和我交談。",
    well: "我很好，謝謝。您想了解什麼？",
    who: "我是人工智慧助理，不是真人。我根據得到的資料回答。",
    help: "我根據得到的資料回答問題。您想了解什麼？",
    good: "好的。您還想了解什麼？",
    no: "好的。需要時請隨時找我。",
    yes: "好的。您想了解什麼？",
    insult: "很抱歉沒能幫到您。您在找什麼？",
    ask: "您想了解什麼？",
    unknown: "我得到的資料裡沒有這個問題的答案。您可以換個說法嗎？",
    related: "我沒有確切的答案，但這也許有幫助。",
    unsure: "我沒有確定的答案。您是指{choices}嗎？",
    contact: "您可以這樣聯絡工作人員：",
    noContact: "我得到的資料裡沒有聯絡方式。",
    otherLanguage: "我的資料是{language}：",
  },
  ar: {
    hello: "مرحبًا. ماذا تود أن تعرف؟",
    welcome: "على الرحب والسعة. هل تود معرفة شيء آخر؟",
    bye: "إلى اللقاء، وشكرًا على حديثك معي.",
    well: "أنا بخير، شكرًا. ماذا تود أن تعرف؟",
    who: "أنا مساعد ذكاء اصطناعي ولست إنسانًا. أجيب من المعلومات التي أُعطيت لي.",
    help: "أجيب عن الأسئلة من المعلومات التي أُعطيت لي. ماذا تود أن تعرف؟",
    good: "حسنًا. ماذا تود أن تعرف أيضًا؟",
    no: "حسنًا. أنا هنا إن احتجت إليّ.",
    yes: "بكل سرور. ماذا تود أن تعرف؟",
    insult: "آسف لأنني لم أستطع المساعدة. عمّ تبحث؟",
    ask: "ماذا تود أن تعرف؟",
    unknown: "ليست لديّ إجابة عن ذلك في المعلومات التي أُعطيت لي. هل يمكنك السؤال بكلمات أخرى؟",
    related: "ليست لديّ إجابة دقيقة، لكن قد يفيد هذا.",
    unsure: "ليست لديّ إجابة مؤكدة. هل تقصد {choices}؟",
    contact: "يمكنك التواصل مع شخص هنا:",
    noContact: "لا توجد بيانات اتصال في المعلومات التي أُعطيت لي.",
    otherLanguage: "معلوماتي باللغة {language}:",
  },
  he: {
    hello: "שלום. מה תרצו לדעת?",
    welcome: "בבקשה. תרצו לדעת עוד משהו?",
    bye: "להתראות, ותודה על השיחה.",
    well: "שלומי טוב, תודה. מה תרצו לדעת?",
    who: "אני עוזר בינה מלאכותית, לא אדם. התשובות שלי מבוססות על המידע שקיבלתי.",
    help: "התשובות שלי מבוססות על המידע שקיבלתי. מה תרצו לדעת?",
    good: "טוב. מה עוד תרצו לדעת?",
    no: "בסדר. אני כאן אם תצטרכו.",
    yes: "בשמחה. מה תרצו לדעת?",
    insult: "צר לי שלא עזרתי. מה אתם מחפשים?",
    ask: "מה תרצו לדעת?",
    unknown: "אין לי תשובה על כך במידע שקיבלתי. אפשר לשאול במילים אחרות?",
    related: "אין לי תשובה מדויקת, אבל אולי זה יעזור.",
    unsure: "אין לי תשובה ודאית. הכוונה ל{choices}?",
    contact: "כך אפשר לפנות לאדם:",
    noContact: "אין פרטי קשר במידע שקיבלתי.",
    otherLanguage: "המידע שלי ב{language}:",
  },
};

const traditional = /[嗎這們麼請與說開還個時嗎問話]/;

/** The language in which a visitor is answered: that of the question, in the script of it or of the page. */
export function sentenceLanguage(
  language: TextLanguage,
  text: string,
  locale: string | undefined,
): SentenceLanguage {
  if (language !== "zh") return language;
  const isOfPage = languageOfTag(locale) === "zh" && /[-_](?:hant|tw|hk|mo)\b/i.test(locale ?? "");
  return isOfPage || traditional.test(text) ? "zh-Hant" : "zh-Hans";
}

/** What is said in a language. */
/** Whether an answer was given with a reservation. */
export const hasReservation = (answer: string): boolean =>
  Object.values(sentences).some(({ related }) => answer.startsWith(related));

export const fixedSentences = (language: SentenceLanguage): FixedSentences => sentences[language];

/** The sentence before choices, such as "Do you mean A, B or C?" */
export function unsureSentence(language: SentenceLanguage, choices: readonly string[]): string {
  const list = new Intl.ListFormat(language, { type: "disjunction" });
  const said = choices.map((choice) => `“${choice.replace(/[?？:：]\s*$/, "").trim()}”`);
  return sentences[language].unsure.replace("{choices}", () => list.format(said));
}

/** The sentence before a quote in another language than the visitor's. */
export function otherLanguageSentence(language: SentenceLanguage, quoted: TextLanguage): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(quoted) ?? quoted;
  return sentences[language].otherLanguage.replace("{language}", () => name);
}
