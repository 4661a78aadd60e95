/**
 * The number of a month, 1 to 12, by its name in the language of the page or, failing that, in another one. Accents,
 * capitals and points do not count.
 */
export function monthNumber(name: string, language: string | undefined): number | undefined {
  const key = keyOf(name)
  const own = language?.split('-')[0]?.toLowerCase() ?? ''
  return (
    monthsOf(own).get(key) ??
    Object.keys(names)
      .map((other) => monthsOf(other).get(key))
      .find(Boolean)
  )
}

function monthsOf(language: string): ReadonlyMap<string, number> {
  const known = cached.get(language)
  if (known !== undefined) return known
  const entries = (names[language] ?? '')
    .split(' ')
    .flatMap((forms, index) => forms.split('|').map((form) => [form, index + 1] as const))
  const months = new Map(names[language] === undefined ? [] : entries)
  if (names[language] !== undefined) cached.set(language, months)
  return months
}

const cached = new Map<string, ReadonlyMap<string, number>>()

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase()
}

/** In the forms that dates have them, from the Unicode locale data. A name of two months counts in the first language. */
const names: Readonly<Record<string, string>> = {
  en: 'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec',
  de: 'januar|jan|janner februar|feb marz april|apr mai juni juli august|aug september|sept|sep oktober|okt november|nov dezember|dez',
  fr: 'janvier|janv fevrier|fevr mars avril|avr mai juin juillet|juil aout septembre|sept octobre|oct novembre|nov decembre|dec',
  es: 'enero|ene febrero|feb marzo|mar abril|abr mayo|may junio|jun julio|jul agosto|ago septiembre|sept|sep|setiembre octubre|oct noviembre|nov diciembre|dic',
  pt: 'janeiro|jan fevereiro|fev marco|mar abril|abr maio|mai junho|jun julho|jul agosto|ago setembro|set outubro|out novembro|nov dezembro|dez',
  it: 'gennaio|gen febbraio|feb marzo|mar aprile|apr maggio|mag giugno|giu luglio|lug agosto|ago settembre|set ottobre|ott novembre|nov dicembre|dic',
  nl: 'januari|jan februari|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug september|sep oktober|okt november|nov december|dec',
  ru: 'января|январь|янв февраля|февраль|февр марта|март|мар апреля|апрель|апр мая|маи июня|июнь|июн июля|июль|июл августа|август|авг сентября|сентябрь|сент октября|октябрь|окт ноября|ноябрь|нояб декабря|декабрь|дек',
  pl: 'stycznia|styczen|sty lutego|luty|lut marca|marzec|mar kwietnia|kwiecien|kwi maja|maj czerwca|czerwiec|cze lipca|lipiec|lip sierpnia|sierpien|sie wrzesnia|wrzesien|wrz pazdziernika|pazdziernik|paz listopada|listopad|lis grudnia|grudzien|gru',
  tr: 'ocak|oca subat|sub mart|mar nisan|nis mayıs|may haziran|haz temmuz|tem agustos|agu eylul|eyl ekim|eki kasım|kas aralık|ara',
  sv: 'januari|jan februari|feb mars april|apr maj juni juli augusti|aug september|sep oktober|okt november|nov december|dec',
  da: 'januar|jan februar|feb marts|mar april|apr maj juni|jun juli|jul august|aug september|sep oktober|okt november|nov december|dec',
  nb: 'januar|jan februar|feb mars april|apr mai juni juli august|aug september|sep oktober|okt november|nov desember|des',
  fi: 'tammikuuta|tammikuu helmikuuta|helmikuu maaliskuuta|maaliskuu huhtikuuta|huhtikuu toukokuuta|toukokuu kesakuuta|kesakuu heinakuuta|heinakuu elokuuta|elokuu syyskuuta|syyskuu lokakuuta|lokakuu marraskuuta|marraskuu joulukuuta|joulukuu',
  cs: 'ledna|leden unora|unor brezna|brezen dubna|duben kvetna|kveten cervna|cerven cervence|cervenec srpna|srpen zari rijna|rijen listopadu|listopad prosince|prosinec',
  sk: 'januara|januar februara|februar marca|marec aprila|april maja|maj juna|jun jula|jul augusta|august septembra|september oktobra|oktober novembra|november decembra|december',
  uk: 'січня|січень|січ лютого|лютии|лют березня|березень|бер квітня|квітень|квіт травня|травень|трав червня|червень|черв липня|липень|лип серпня|серпень|серп вересня|вересень|вер жовтня|жовтень|жовт листопада|листопад|лист грудня|грудень|груд',
  hu: 'januar|jan februar|febr marcius|marc aprilis|apr majus|maj junius|jun julius|jul augusztus|aug szeptember|szept oktober|okt november|nov december|dec',
  ro: 'ianuarie|ian februarie|feb martie|mar aprilie|apr mai iunie|iun iulie|iul august|aug septembrie|sept octombrie|oct noiembrie|nov decembrie|dec',
  el: 'ιανουαριου|ιαν φεβρουαριου|φεβ μαρτιου|μαρ απριλιου|απρ μαιου|μαι ιουνιου|ιουν ιουλιου|ιουλ αυγουστου|αυγ σεπτεμβριου|σεπ οκτωβριου|οκτ νοεμβριου|νοε δεκεμβριου|δεκ',
  bg: 'януари февруари март април маи юни юли август септември октомври ноември декември',
  hr: 'sijecnja|sijecanj|sij veljace|veljaca|velj ozujka|ozujak|ozu travnja|travanj|tra svibnja|svibanj|svi lipnja|lipanj|lip srpnja|srpanj|srp kolovoza|kolovoz|kol rujna|rujan|ruj listopada|listopad|lis studenoga|studeni|stu prosinca|prosinac|pro',
  sl: 'januar|jan februar|feb marec|mar april|apr maj junij|jun julij|jul avgust|avg september|sep oktober|okt november|nov december|dec',
  sr: 'јануар|јан фебруар|феб март|мар април|апр мај јун јул август|авг септембар|сеп октобар|окт новембар|нов децембар|дец',
  lt: 'sausio|sausis vasario|vasaris kovo|kovas balandzio|balandis geguzes|geguze birzelio|birzelis liepos|liepa rugpjucio|rugpjutis rugsejo|rugsejis spalio|spalis lapkricio|lapkritis gruodzio|gruodis',
  lv: 'janvaris|janv februaris|febr marts aprilis|apr maijs junijs|jun julijs|jul augusts|aug septembris|sept oktobris|okt novembris|nov decembris|dec',
  et: 'jaanuar|jaan veebruar|veebr marts aprill|apr mai juuni juuli august|aug september|sept oktoober|okt november|nov detsember|dets',
  ca: 'gener febrer marc d’abril|abril|d’abr maig juny juliol d’agost|agost|d’ag setembre d’octubre|octubre|d’oct novembre desembre',
  id: 'januari|jan februari|feb maret|mar april|apr mei juni|jun juli|jul agustus|agu september|sep oktober|okt november|nov desember|des',
  ar: 'يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر',
  fa: 'ژانویه فوریه مارس اوریل مه ژوين ژويیه اوت سپتامبر اکتبر نوامبر دسامبر',
  he: 'ינואר|ינו׳ פברואר|פבר׳ מרץ אפריל|אפר׳ מאי יוני יולי אוגוסט|אוג׳ ספטמבר|ספט׳ אוקטובר|אוק׳ נובמבר|נוב׳ דצמבר|דצמ׳',
  hi: 'जनवर|जन॰ फरवर|फर॰ मरच अपरल मई जन जलई|जल॰ अगसत|अग॰ सतबर|सत॰ अकटबर|अकट॰ नवबर|नव॰ दसबर|दस॰',
}
