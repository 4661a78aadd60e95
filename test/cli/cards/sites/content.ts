/** The site that every generator builds: our own words about a small harbour. */
export const site = {
  name: 'Harbour Handbook',
  description: 'How a small harbour runs its tides, berths and boats.',
  url: 'https://harbour.example',
}

export interface SitePage {
  readonly title: string
  readonly description: string
  /** Markdown, without the title. */
  readonly body: string
}

/** A page that may have a byline. */
export interface AnyPage extends SitePage {
  readonly author?: string
  readonly date?: string
}

interface SitePost extends SitePage {
  readonly author: string
  /** A day, as 2026-02-14. */
  readonly date: string
}

export const home: SitePage = {
  title: site.name,
  description: site.description,
  body: 'The harbour master, the ferry crew and every guest read the same pages.\n\n- [Read a tide table](docs/guides/tide-table)\n- [Berth signals](docs/reference/berth-signals)\n',
}

export const tideTable: SitePage = {
  title: 'Read a tide table',
  description: 'Four numbers a day tell you when the bar can be crossed & when it cannot.',
  body: 'Every row has two high waters and two low waters. Times are in local time, heights in metres above chart datum.\n\n## Crossing the bar\n\nA boat that draws 1.8 m needs a height of 2.3 m, because the swell takes half a metre.\n',
}

export const berthSignals: SitePage = {
  title: 'Berth signals: lamps, flags and “wait”',
  description: 'Every signal of the pier head, and what a skipper does when it is shown.',
  body: 'Two green lamps mean that the berth is free. One red lamp means that somebody else comes out first.\n\n| Signal | Answer |\n| --- | --- |\n| Two green | Come in |\n| One red | Wait outside |\n',
}

export const quietWinter: SitePost = {
  title: 'A quieter winter at the north pier',
  description: 'New rubber fenders took away the noise that kept the street awake.',
  author: 'Maren Holt',
  date: '2026-02-14',
  body: 'For eleven winters the old tyres squealed at every swell. In January we hung rubber fenders, and the street slept.\n',
}

export const newCrane: SitePost = {
  title: 'The new crane lifts twice the weight',
  description: 'Ten tonnes instead of five, and no more waiting for the spring tide.',
  author: 'Idris Okafor',
  date: '2026-05-03',
  body: 'The crane came by barge on a Sunday. It lifts ten tonnes, which is every boat that winters here.\n',
}

export const arabicWelcome: SitePage = {
  title: 'أهلاً بكم في الميناء',
  description: 'كل ما يحتاج إليه الزائر ليلته الأولى في الميناء.',
  body: 'اتصلوا بمكتب الميناء قبل الوصول بساعة. المكتب مفتوح من السادسة صباحاً حتى الثامنة مساءً.\n',
}

export const japaneseWelcome: SitePage = {
  title: '港へようこそ',
  description: '初めての夜に来訪者が知っておくこと。',
  body: '到着の一時間前に港湾事務所へ連絡してください。事務所は午前六時から午後八時まで開いています。\n',
}

/** A page that search engines are asked to leave out. */
export const rota: SitePage = {
  title: 'Rota of the night watch',
  description: 'Who keeps watch on which night; for the crew alone.',
  body: 'Monday: Maren. Tuesday: Idris. Wednesday: nobody, the gate is shut.\n',
}

/** A folder and name of an old page whose place is `tideTable`'s now. */
export const oldPath = 'old/tides'
