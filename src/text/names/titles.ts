/**
 * Titles, degrees before the name and forms of address, by language. Words are lower case, without dots, and with the
 * straight form of quotation marks that stand inside a word (`ד"ר`).
 */
interface Titles {
  /** With a dot or without. */
  readonly words?: string
  /** Only with a dot: without it they are names or other words. */
  readonly dotted?: string
  /** Only when the caller says the language: elsewhere people have these names. */
  readonly ownOnly?: string
}

const languages: Readonly<Record<string, Titles>> = {
  en: {
    words:
      'dr doctor mr mister mrs ms mx miss prof professor sir dame lady lord rev reverend madam madame president ' +
      'senator governor captain colonel sergeant lieutenant judge chancellor ambassador bishop rabbi pastor sheikh imam',
    dotted: 'hon capt col gen lt maj sgt cpl cmdr adm brig pres sen gov rep amb fr sr br messrs rt insp supt',
    ownOnly: 'father brother sister major general',
  },
  de: {
    words: 'herr frau fräulein hofrat dipl-ing dr-ing',
    dotted:
      'med hc habil rer nat phil jur iur pol oec sc theol mult ing dipl kfm univ priv doz mag h c vet agr psych em fh',
    ownOnly: 'freiherr',
  },
  fr: {
    words: 'monsieur madame mademoiselle mme mlle mmes mgr maître docteur professeur abbé',
    dotted: 'pr dre vve',
    ownOnly: 'm me pr dre père frère sœur',
  },
  es: {
    words:
      'sr sra srta sres señor señora señorita dra dr doctor doctora doña dña lic licda licenciado licenciada ' +
      'ingeniero ingeniera arq abg abogado abogada profa profesor profesora mtro mtra maestro maestra excmo excma ilmo ilma fray',
    dotted: 'ing hno hna gral cnel cap',
    ownOnly: 'd don',
  },
  pt: {
    words: 'sr sra srta senhor senhora doutor doutora dra drª profa professor professora enga exmo exma',
    dotted: 'eng arq adv pe',
    ownOnly: 'd dom dona',
  },
  it: {
    words:
      'signor signora signorina sigra signa dott dottssa dottore dottoressa drssa profssa professore professoressa ' +
      'avv avvocato avvssa',
    dotted: 'sig ing arch geom rag cav comm on mons fra',
    ownOnly: 'don padre',
  },
  ca: { words: 'senyor senyora' },
  nl: { words: 'dhr mevr meneer mevrouw drs heer', dotted: 'mw ir ing mr ds' },
  da: { words: 'fru frøken herr', dotted: 'hr fr frk cand mag' },
  sv: { words: 'fröken herr fru', dotted: 'tekn fil civ jur' },
  nb: { words: 'fru frøken herr', dotted: 'hr fr siv' },
  fi: { words: 'herra rouva neiti', dotted: 'tri hra rva dos' },
  et: { words: 'härra proua', dotted: 'hr pr' },
  lt: { words: 'ponas ponia', dotted: 'p doc' },
  pl: {
    words: 'mgr inż prof hab dr',
    dotted: 'lek med ks bp abp gen płk mjr kpt inż adw św n',
    ownOnly: 'pan pani',
  },
  cs: {
    words: 'mudr judr phdr rndr mvdr paeddr thdr pharmdr thlic paní slečna',
    dotted: 'ing mgr bc arch doc p prof bca mga et',
    ownOnly: 'pan',
  },
  sk: { words: 'mudr judr phdr rndr mvdr pani slečna', dotted: 'ing mgr bc arch doc p', ownOnly: 'pán' },
  sl: { words: 'gospod gospa', dotted: 'g ga mag' },
  hr: { words: 'gospodin gospođa gđa gđica gosp', dotted: 'g mr sc dipl ing mag doc akad' },
  hu: { dotted: 'özv id ifj' },
  ro: { words: 'domnul doamna domnișoara d-na d-ra d-l', dotted: 'dl dna dra ing av conf lect acad arh ec' },
  sq: { words: 'zoti zonja zotëri', dotted: 'z znj' },
  tr: { words: 'sayın doç uzm', dotted: 'av sn op öğr gör yrd', ownOnly: 'bay bayan' },
  az: { words: 'cənab xanım' },
  id: {
    words: 'bapak bpk ibu ustaz ustadz haji hajjah',
    dotted: 'drs dra ir tn ny sdr sdri hj kh',
    ownOnly: 'h pak bu',
  },
  ms: { words: "encik puan cik datuk dato' datin tun ustaz haji hajah", dotted: 'hj', ownOnly: 'tuan' },
  fil: { words: 'ginoong ginang', dotted: 'g gng bb atty engr' },
  vi: { words: 'ông bà', dotted: 'ts gs pgs ths bs ks ls' },
  sw: { words: 'bwana mheshimiwa', dotted: 'mhe', ownOnly: 'bibi' },
  el: {
    words: 'κύριος κυρία δεσποινίς δρ δόκτωρ κος καθηγητής καθηγήτρια',
    dotted: 'κ κα κοσ καθ δις αρχ',
  },
  ru: {
    words: 'г-н г-жа д-р господин госпожа доктор профессор академик товарищ сэр мистер миссис мисс леди лорд',
    dotted: 'проф акад доц инж ген полк тов св о г гр канд наук',
  },
  uk: { words: 'пан пані панна добродій д-р доктор професор', dotted: 'проф акад доц інж п о' },
  be: { words: 'спадар спадарыня д-р', dotted: 'праф' },
  bg: { words: 'господин госпожа г-н г-жа г-ца д-р', dotted: 'проф доц инж арх адв акад о' },
  sr: { words: 'господин госпођа господа др проф', dotted: 'г гђа инж' },
  hy: { words: 'պարոն տիկին օրիորդ դոկտոր պրոֆեսոր', dotted: 'պրն տկն օրդ դր դոկտ պրոֆ' },
  ka: { words: 'ბატონი ქალბატონი დოქტორი პროფესორი ბ-ნი ქ-ნი', dotted: 'დრ დოქტ პროფ ბ ქ' },
  ar: {
    words:
      'السيد السيدة الآنسة آنسة الدكتور الدكتورة دكتور دكتورة الأستاذ الأستاذة أستاذ أستاذة المهندس المهندسة مهندس ' +
      'مهندسة الشيخ شيخ الشيخة الحاج الحاجة الأمير الأميرة الملك الملكة الرئيس الوزير القاضي المحامي المحامية اللواء ' +
      'العقيد العميد النقيب الطبيب الإمام البروفيسور بروفيسور مستر',
    dotted: 'د أ م أد ا ش ج',
  },
  fa: { words: 'آقای خانم بانو دکتر مهندس استاد پروفسور جناب سرکار حاج حاجی آیت‌الله', dotted: 'د' },
  ur: { words: 'جناب ڈاکٹر پروفیسر مسٹر مسز محترم محترمہ مولانا حاجی علامہ' },
  he: {
    words: `ד"ר רבי מר גב' גברת העלמה פרופ' פרופסור הרב רב' ר' עו"ד אינג' אדון השופט השופטת ח"כ סא"ל רו"ח אל"ם הגברת האדון הרבנית`,
    dotted: 'פרופ גב',
  },
  hi: {
    words: 'श्री श्रीमती सुश्री कुमारी डॉ डा डॉक्टर डाक्टर प्रो प्रोफेसर प्रोफ़ेसर पंडित पं स्वामी आचार्य',
    dotted: 'कु स्व',
  },
  mr: { words: 'श्री श्रीमती सौ डॉ प्रा ॲड अ‍ॅड', dotted: 'कु' },
  ne: { words: 'श्री श्रीमती सुश्री डा प्रा', dotted: 'ई' },
  bn: {
    words: 'জনাব জনাবা মিস্টার মিসেস মিস শ্রী শ্রীমতী ডাক্তার ডক্টর অধ্যাপক প্রফেসর ডঃ ডাঃ বেগম',
    dotted: 'ড ডা অধ্যা প্রফে',
  },
  pa: { words: 'ਸ੍ਰੀ ਸ਼੍ਰੀ ਸ੍ਰੀਮਤੀ ਸ਼੍ਰੀਮਤੀ ਸਰਦਾਰ ਸਰਦਾਰਨੀ ਡਾਕਟਰ ਬੀਬੀ ਮਿਸਟਰ', dotted: 'ਡਾ ਸ ਪ੍ਰੋ' },
  gu: { words: 'ડૉ ડો શ્રી શ્રીમતી સુશ્રી કુમારી ડૉક્ટર ડોક્ટર', dotted: 'ડૉ ડો પ્રો કુ સ્વ' },
  or: { words: 'ଶ୍ରୀ ଶ୍ରୀମତୀ ସୁଶ୍ରୀ ଡକ୍ଟର ଡାକ୍ତର ପ୍ରଫେସର', dotted: 'ଡ ଡା ଡଃ ପ୍ରୋ' },
  ta: { words: 'திரு திருமதி செல்வி செல்வன் டாக்டர் முனைவர் பேராசிரியர்', dotted: 'டாக் பேரா' },
  te: { words: 'డా శ్రీ శ్రీమతి కుమారి డాక్టర్ ప్రొఫెసర్', dotted: 'డా డాక్ ప్రొ కు' },
  kn: { words: 'ಡಾ ಶ್ರೀ ಶ್ರೀಮತಿ ಕುಮಾರಿ ಡಾಕ್ಟರ್ ಪ್ರೊಫೆಸರ್', dotted: 'ಡಾ ಪ್ರೊ ಕು' },
  ml: { words: 'ഡോ ശ്രീ ശ്രീമതി കുമാരി ഡോക്ടർ പ്രൊഫസർ', dotted: 'ഡോ പ്രൊഫ അഡ്വ' },
  si: { words: 'ආචාර්ය මහාචාර්ය වෛද්‍ය ගරු පූජ්‍ය ශ්‍රී මයා මිය' },
  th: {
    words: 'นาย นาง นางสาว คุณ ดร เด็กชาย เด็กหญิง อาจารย์ ศาสตราจารย์ แพทย์หญิง นายแพทย์',
    dotted: 'นส ดช ดญ ศ รศ ผศ นพ พญ อ พลอ พลท พลต มรว มล พตท พตอ พอ รต',
  },
  lo: { words: 'ທ່ານ ນາງ ທ້າວ ນາງສາວ ທ່ານນາງ ດຣ ສຈ', dotted: 'ທ' },
  km: { words: 'លោក លោកស្រី អ្នកស្រី កញ្ញា បណ្ឌិត ឯកឧត្តម សម្តេច វេជ្ជបណ្ឌិត សាស្ត្រាចារ្យ', dotted: 'ល' },
  my: { words: 'ဦး ဒေါ် ဒေါက်တာ ပါမောက္ခ' },
  am: { words: 'አቶ ወይዘሮ ወይዘሪት ወ/ሮ ወ/ሪት ዶ/ር ፕ/ር ኢ/ር ዶክተር ፕሮፌሰር ሼህ ኢንጂነር' },
  ja: { words: 'ミスター ミセス ミス ドクター' },
  inLatin: {
    words: 'shri shree shrimati smt pandit swami mufti maulana sayyid hazrat',
    dotted: 'kum adv er pt sh',
    ownOnly: 'sri sree',
  },
}

/** Titles written together with the name, longest first; a letter must follow that can start a name. */
const attached: readonly RegExp[] = [
  /^(?:นางสาว|เด็กชาย|เด็กหญิง|คุณหญิง|นาย|นาง|คุณ)(?=[\u0E01-\u0E2E\u0E40-\u0E44].)/,
  /^(?:ທ່ານ|ທ້າວ|ນາງ)(?=[\u0E81-\u0EAE\u0EC0-\u0EC4].)/,
  /^(?:ဒေါက်တာ|ဒေါ်|ဦး)(?=[\u1000-\u1021\u1025-\u102A].)/,
  /^(?:株式会社|有限会社|合同会社|주식회사)(?=.)/u,
]

/** Doctors of many faculties: `MUDr.`, `PharmDr.`. */
const facultyDoctor = /^\p{Lu}\p{L}{0,5}Dr\.?$/u
const isOneLetter = /^\p{L}\p{M}*$/u
const smallLetter = /^\p{Ll}/u

function merged(kind: keyof Titles): ReadonlySet<string> {
  return new Set(Object.values(languages).flatMap((titles) => wordsOf(titles[kind])))
}

function wordsOf(list = ''): string[] {
  return list.split(' ').filter((word) => word !== '')
}

const words = merged('words')
const dotted = merged('dotted')

const ownWords = new Map(
  Object.entries(languages).map(([lang, { ownOnly }]) => [lang, new Set(wordsOf(ownOnly))]),
)

/** Tells titles, with a dot or, as in Arabic and Hindi, a slash or circle behind (`د/`, `पं०`); those that are names elsewhere only with the tag of their language. */
export type IsTitle = (word: string) => boolean

export function titlesOf(lang: string | undefined): IsTitle {
  const own = ownWords.get(lang?.slice(0, lang.search(/-|$/)).toLowerCase() ?? '')
  return (word) => {
    const key = keyOf(word)
    if (words.has(key) || own?.has(key)) return true
    const isAbbreviation = /[.॰]|[/०]$/.test(word) && (isDotted(key, word) || isChain(word))
    return isAbbreviation || facultyDoctor.test(word)
  }
}

/** One letter is a title only where it is no initial: small, or of a script without capitals. */
function isDotted(key: string, word: string): boolean {
  if (!dotted.has(key)) return false
  return !isOneLetter.test(key) || smallLetter.test(word) || key.toUpperCase() === key
}

/** `Dipl.-Ing.`, `Univ.-Prof.Dr.`: titles joined by dots and hyphens. */
function isChain(word: string): boolean {
  const parts = word.split(/[./-]/).filter((part) => part !== '')
  return parts.every((part) => words.has(keyOf(part)) || isDotted(keyOf(part), part))
}

const plain = /^[a-z]+$/

function keyOf(word: string): string {
  const key = word.toLowerCase()
  if (plain.test(key)) return key
  return key
    .replace(/[.:॰]|[/०]$/g, '')
    .replace(/[״“”„]/g, '"')
    .replace(/[׳’]/g, "'")
    .replace(/^["'(]+/, '')
}

/** The word without titles in front: `ดร.สมชาย`, `د.أحمد`, `นายสมชาย`. */
export function splitTitle(word: string, isTitle: IsTitle): readonly string[] {
  if (isTitle(word)) return [word]
  for (let dot = word.lastIndexOf('.', charsMax); dot > 0; dot = word.lastIndexOf('.', dot - 1)) {
    const title = word.slice(0, dot + 1)
    const name = word.slice(dot + 1)
    if (/^\p{L}[\p{L}\p{M}]/u.test(name) && isTitle(title)) return [title, ...splitTitle(name, isTitle)]
  }
  return [word]
}

/** Longest title in front of a name. */
const charsMax = 24

/** Without a title that is written together with the name and never gives an initial. */
export function dropAttachedTitle(word: string): string {
  const found = attached.find((pattern) => pattern.test(word))
  return found === undefined ? word : word.replace(found, '')
}
