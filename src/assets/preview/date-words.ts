import { words } from '../../lib/words.ts'

/**
 * The purpose of a date, by the words beside it. `active`: somebody was active then. `other`: something begins, ends, was
 * founded and so on.
 */
export type DatePurpose = 'published' | 'modified' | 'active' | 'other'

/**
 * Returns the purpose that the nearest word gives a date, or undefined if no word does.
 * @param before text in front of the date
 * @param after text behind it, where some languages put the word
 * @param language of the page, BCP 47: words of up to three letters count in their own language only
 */
export function datePurpose(
  before: string,
  after: string,
  language: string | undefined,
): DatePurpose | undefined {
  if (isRange(before, after)) return 'other'
  const behind = plain(after.slice(0, afterCharsMax))
  const afterwards = following.find(({ pattern }) => pattern.test(behind))
  if (afterwards !== undefined) return afterwards.purpose
  return nearestPurpose(before, language)
}

/** Returns the purpose that the last telling word of a text gives the date behind it. */
function nearestPurpose(before: string, language: string | undefined): DatePurpose | undefined {
  if (before.length < 2) return undefined
  const text = plain(before.slice(-beforeCharsMax)).split(divider).at(-1) ?? ''
  let purpose: DatePurpose | undefined
  for (const { groups } of text.matchAll(precedingIn(language?.split('-')[0]?.toLowerCase() ?? 'en')))
    purpose = purposes.find((name) => groups?.[name] !== undefined)
  return purpose
}

const purposes = ['other', 'active', 'modified', 'published'] as const
const beforeCharsMax = 48
const afterCharsMax = 24
/** A word in front of another date belongs to that one. */
const divider = /[|·•]|\d{4}/

/** Days of an event are written as a range: `3–5 May 2011`, `3 May 2011 to 5 May 2011`. */
function isRange(before: string, after: string): boolean {
  return firstDay.test(before.slice(-12)) || secondDay.test(after.slice(0, 40))
}

const firstDay = /(?<![\d:.])\d{1,2}[-–—]$|(?:19|20)\d\d ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?$/

const secondDay =
  /^ ?(?:[-–—]|to|until|through|bis|au|al|tot|do|до) ?(?:\p{L}{2,12}\.? )?\d{1,2}[^:\d]{1,16}(?:19|20)\d\d/u

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

type Vocabulary = Readonly<Record<DatePurpose, string>>

/** Words in front of a date. `_` is a space, `*` any ending. */
const preceding: Vocabulary = {
  other: `
    until till untill through ends ending end_date expires expire expiry expiration expired deadline deadlines founded
    founding established est. since born birth birthday birthdate died death opened opens opening starts starting start_date begins beginning closes
    closing valid joined registered incorporated inaugurated due best_before available_from no_later_than scheduled event_date when: next
    doors_open open_on close_on copyright
    jusqu* expir* echeance date_limite limite termine fin_le cloture fonde fondee fondation depuis nee ne_le naissance mort_le decede*
    ouvert_le ouverte ouverture valable
    endet ablauf* gultig* frist* *frist *schluss einlass fallig* gegrundet grundung* eroffn* seit geboren gestorben stichtag beginnt spatestens
    hasta vence* vencimiento caduca* plazo finaliza* cierre fundad* establecid* desde nacid* nacio nacimiento murio fallec* abierto abierta
    inaugurad* valido valida vigente apertura
    prazo encerra* encerramento fundacao nascid* nasceu nascimento falec* abertura validade
    fino entro scade* scadenza fondat* nato nata nascita apertura valido
    verloopt vervalt eindigt einddatum uiterlijk opgericht gesticht sinds overleden geopend geldig*
    истек* срок* дедлаин* заканчива* основан* родил* рожден* умер* открыт* деиств* окончани* создан_в
    wygasa termin* konczy zalozon* urodzon* urodzil* zmarl* otwart* wazn*
    senast_den sista* upphor slutar grundad grundat fodd avled oppnad* oppnar giltig*
    indtil udløber slutter grundlagt fødd født døde abnet abner gyldig* inntil utløper stiftet etablert apnet apner
    paattyy voimassa erapaiva maaraaika perustettu syntynyt kuollut avattu alkaen
    vyprsi vyprsi konci platn* zalozen* narozen* naroden* zemrel* otevren* otvoren* uzaverka
    закінч* термін* діис* заснован* народ* відкрит*
    lejar* hatarido* alapit* szuletett meghalt megnyit* ervenyes*
    pana expira* termen* infiintat* nascut* deschis* valabil*
    εως μεχρι ληγει προθεσμια ιδρυθηκε γεννηθηκε ανοιξε ισχυει
    изтича роден* валид* истиче рођен* отворен*
    istjece istice osnovan* rođen* rojen* odprt* ustanovljen* vrijedi velja
    baigiasi galioja terminas ikurta* gime atidaryt* lidz beidzas termins dibinat* dzimis dzimusi atverts
    kuni lopeb tahtaeg asutatud sundinud avatud alates fins termini fundat* obert*
    hingga sampai berakhir kedaluwarsa kadaluarsa batas_waktu tenggat berlaku didirikan sejak lahir dibuka
    đen_het het_han han_chot thanh_lap khai_truong sinh_ngay đen_ngay
    son_tarih* son_gun bitis* biter gecerli* kuruldu kurulus* dogum* dogdu acildi
    حتى ينتهي تنتهي انتهاء موعد تاسس* منذ مواليد الميلاد افتتح صالح پایان مهلت انقضا تاسیس متولد افتتاح
    בתוקף מסתיים יפוג תוקף נוסד הוקם נולד מאז נפתח समाप्त अंतिम_तिथि जन्म स्थापना
    截止 截至 到期 期限 有效期 成立 创立 創立 创办 建立 出生 生于 生於 逝世 开幕 開幕 结束 結束 報名 报名 締切 締め切り 〆切 終了 設立 創業 生年月日 誕生
    開業 開店 開始 開催 举办 마감 만료 종료 기한 설립 창립 출생 개업
  `,
  active: `
    active last_activity last_seen last_login last_visit zuletzt_aktiv zuletzt_online letzte_aktivitat actif activite activo actividad ativo
    atividade attivo attivita actief aktywn* активн* aktiv aktivitet etkin aktiivinen последняя_активность 最后活动 最近活动 최근_활동
  `,
  modified: `
    updated update: modified changed edited revised amended last_update last_change last_edit
    last_modification last_reviewed last_revision
    aktualis* geandert bearbeitet uberarbeitet stand: mis_a_jour mise_a_jour modifie* actualise* revise*
    actualiza* modificad* editad* revisad* atualiza* alterad* revist* aggiorna* modificat* ultima_modifica
    bijgewerkt gewijzigd aangepast обнов* измен* отредакт* aktualiz* zmienion* zmodyfikowan* edytowan*
    guncelle* degistir* uppdater* andrad redigerad opdater* ændret redigeret oppdater* endret paivitet* muokattu
    upraven* zmenen* оновл* змінен* frissit* modosit* szerkesz* actualizat* editat* ενημερω* τροποποι*
    актуализ* променен* azurira* izmijen* posodob* spremen* ажурира* atnaujin* pakeist* atjauno* atjaunin* labots uuendat* muudet*
    actualitz* diperbarui diubah pembaruan perubahan cap_nhat chinh_sua sua_đoi
    تحديث التحديث تعديل به_روز ویرایش עודכן עדכון अपडेट संशोधित अद्यतन
    更新 修改 修订 修訂 最終 改訂 修正 수정 업데이트 갱신 변경
  `,
  published: `
    published posted publication publish_date written created issued released submitted added
    veroffentlich* erschienen erstellt publie* paru cree* publicad* publicacion pubblicat* gepubliceerd geplaatst опублик* публикац*
    opublikowan* publikacj* yayin* publicer* publiser* julkaist* publikov* vydan* megjelen* kozzetet* publicat* δημοσι* публикуван*
    objavljen* paskelbt* avaldat* diterbitkan đang_ngay نشر النشر منتشر פורסם प्रकाशित
    发布 發布 发表 發表 公開 掲載 投稿 게시 등록 입력 작성
  `,
}

/** Words of up to three letters, by language: in others they mean something else. */
const shortWords: Readonly<Record<string, string>> = {
  en: 'end',
  de: 'bis geb',
  fr: 'fin ne',
  pt: 'ate fim',
  it: 'dal',
  nl: 'tot t/m',
  ru: 'до с',
  uk: 'до з',
  bg: 'до от',
  sr: 'до do',
  pl: 'do od',
  cs: 'do od',
  sk: 'do od',
  hr: 'do od',
  sl: 'do od',
  lt: 'iki nuo',
  el: 'απο',
  ar: 'ولد',
  fa: 'تا از',
  he: 'עד',
  vi: 'đen tu han',
}

/** Words behind a date. */
const afterwards: Vocabulary = {
  other: `
    deadline asti saakka mennessa kadar tarihine_kadar ig तक まで 迄 까지 締切 締め切り 〆切 終了 設立 創業 創立 生まれ 誕生 截止 到期 之前 以前 成立 出生
    마감 종료 설립 출생
  `,
  active: '',
  modified: '更新 修正 수정 업데이트',
  published: '公開 掲載 投稿 发布 發布 게시 등록',
}

function precedingIn(language: string): RegExp {
  const cached = patterns.get(language)
  if (cached !== undefined) return cached
  const short = shortWords[language]
  const pattern = new RegExp(
    purposes
      .map((purpose) => {
        const own = purpose === 'other' && short !== undefined ? ` ${short}` : ''
        return `(?<${purpose}>${alternatives(preceding[purpose] + own)})`
      })
      .join('|'),
    'gu',
  )
  if (short !== undefined || language === 'en') patterns.set(language, pattern)
  return pattern
}

const patterns = new Map<string, RegExp>()

/** Words of scripts with spaces are whole; those of the others may be anywhere. */
function alternatives(list: string): string {
  const all = words(plain(list)).map((word) => word.replace(/[.+?()[\]{}|\\/^$]/g, '\\$&'))
  const [joined, spaced] = [true, false].map((isJoined) =>
    all
      .filter((word) => unspaced.test(word) === isJoined)
      .sort((one, other) => other.length - one.length)
      .map((word) => word.replaceAll('_', '\\s+').replaceAll('*', '\\p{L}*'))
      .join('|'),
  )
  const whole = spaced === '' ? nothing : `(?<!\\p{L})(?:${spaced})(?!\\p{L})`
  return joined === '' ? whole : `${joined}|${whole}`
}

const nothing = '(?!)'
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u

const following = purposes.map((purpose) => ({
  purpose,
  pattern: new RegExp(
    `^[^\\p{L}|·•]{0,10}(?:\\p{L}{1,2}[^\\p{L}]{1,2})?(?:${alternatives(afterwards[purpose])})`,
    'u',
  ),
}))
