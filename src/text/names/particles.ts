import { words } from '../../lib/words.ts'

/** Small words between the parts of a name, in Latin, Greek, Cyrillic and scripts without capitals. */
const particles = new Set(
  words(`
    van von vom der den de del della dello degli delle dei di da dal dalla das do dos du des la le las los lo les el al
    ul ur ter ten te thor zu zum zur af av auf aus op aan in het bin ibn bint binti abu ben bat y e i und and of the
    og och et ed con san a/l a/p s/o d/o w/o 't ’t 's ’s fils père júnior oğlu qızı oglu kızı o‘g‘li qizi ap ferch
    фон фан ван дер ден де ди да дю ла ле ибн бин бен бинт аль эль оглы кызы и та й і
    του της των και ντε φον βαν ντι
    دي دا فان فون بن بنت ابن آل ال و
    בן בת אבן דה די ון פון
    और एवं व बिन ও এবং বিন ਅਤੇ અને ଓ மற்றும் మరియు ಮತ್ತು
    ณ และ ແລະ និង და և եւ դը ֆոն እና
  `),
)
/** Particles that are also given names, at the start of a name. */
const givenParticles = new Set(words('al ben des san abu בן'))

/**
 * Only particles in small letters, unless the whole name is in capitals: `Van Morrison` keeps his.
 * @param isAnyCase true where a capital says nothing, as in the family of `De La Cruz, Juan`
 */
export function dropParticles(name: readonly string[], isAnyCase = false): readonly string[] {
  const isShouted = name.length > 2 && name.every((word) => word === word.toUpperCase())
  const rest = name.filter((word, index) => {
    const spelling = isShouted || isAnyCase ? word.toLowerCase() : word
    return !particles.has(spelling) || (index === 0 && givenParticles.has(spelling))
  })
  return rest.length > 0 ? rest : name
}

export function isParticle(word: string): boolean {
  return particles.has(word)
}

/** `al-`, `аль-` and `d’` in small letters before a capital. */
const smallArticle = /^(?:\p{Ll}{1,3}[-‐‑](?=\p{Lu})|\p{Ll}{1,5}['’ʼ](?=\p{Lu}))/u
/** The Arabic article in capitals, before consonants that it takes on as well: `Al-Sayed`, `Ash-Sharif`. */
const arabicArticle =
  /^(?:[AE]l|A[sz](?=-[SZ])|A[drnt](?=-[DRNT])|Ash(?=-Sh)|Ath(?=-Th)|Adh(?=-Dh)|[АЭ]ль|А[рснтзд](?=-[РСНТЗД]))[-‐‑](?=\p{Lu})/u
const arabicLetters = /^ال(?=\p{L}{2})/u
/** Names in which the same two letters are no article, without hamza and with either form of ya. */
const withoutArticle =
  /^ال(?:ل[ّ]?ه|ياس|يسا|ينا|يزابيث?ت?|يكا|يكس|يشا|يف|هام|هه|ها|كس|كسندر|كساندر|كسي|برت|برتو|فريد|فرد|فونسو?|ان|ن|ما|ماس|ماز|مير|ميرا|سا|ناز|وند|تون|تاي|دار|دوس)$/u
/** Languages that write in Arabic letters but have no such article. */
const otherLanguages = /^(?:fa|ug|ku|ckb|sd|ps|ms)\b/i

/** The word without an article or elided particle in front that is no part of its initial. */
export function dropJoinedArticle(word: string, lang = ''): string {
  if (arabicLetters.test(word)) {
    const isName = withoutArticle.test(word.replaceAll('ی', 'ي')) || otherLanguages.test(lang)
    return isName ? word : word.replace(arabicLetters, '')
  }
  return word.replace(smallArticle, '').replace(arabicArticle, '')
}
