import { type MarkedText, markedText } from './break-corpus.ts'

/** Titles by the kind of fault that they invite. No line of them starts at a `~`, which is a space, nor at a `*`, which is nothing. */
const titles: Readonly<Record<string, readonly string[]>> = {
  'a sign between spaces starts a line': [
    'Kurs ogrodnictwa~- Lekcja 3: Podstawy uprawy',
    'Learn baking in eight hours~- Full course',
    'React~| Documentation for beginners and experts',
    'Docker~· Kubernetes~· Helm~· Terraform in practice',
    'Notes~/ Thoughts~/ Essays from a small island',
    'E~= mc²: what the formula really says about mass',
    'Лекция~- Введение в теорию вероятностей',
    'Bach~- Brandenburg Concerto in G major',
  ],
  'a number leaves the name before it': [
    'Kurs ogrodnictwa - Lekcja~3: Podstawy uprawy',
    'Garden C#~13 & F#~9 — what is new',
    'Symfony~7 is here: what changes for your bundles',
    'Upgrading Node.js~18.19.1 to the next long term release',
    'الدرس~3: أساسيات البرمجة بلغة بايثون',
    'פרק~12: איך כותבים קוד נקי ופשוט לתחזוקה',
    'Урок~5: основы программирования на языке Go',
    'Part~IV - The Return of the Baker',
    'Windows~11 vs. macOS~15: which one wins',
    'Ubuntu~24.04 LTS: the complete server guide',
    'Season~2 Episode~5: The long way home',
  ],
  'a number leaves the noun that it counts': [
    'Learn baking in 8~hours - Full course',
    'How to learn Rust in 30~days without losing your mind',
    'Apprendre le piano en 15~minutes par jour',
    'iPhone 15 Pro im Test: 8~Wochen später',
    '10~tips for better sleep in hot summer nights',
    '5~cách học tiếng Anh hiệu quả tại nhà',
  ],
  'an ordinal of Chinese or Japanese is torn': [
    '读书笔记（第~128~期）：缓存的代价',
    '每周笔记第~128~期：缓存',
    '第~12~章 风暴来临之前的夜晚',
    '红楼梦 第~3~回 贾雨村夤缘复旧职',
    'シリーズ第~3~回：設計の基本を学ぶ',
    '动画第*2*季第*7*集：归途与星空',
  ],
  'a name loses its signs': [
    'Werkzeuge für C+*+*-Entwickler (2027)',
    'Notepad+*+: a tour',
    'Warum a|*|b in der Shell anders ist',
    'Publishing @scope/*name to a private registry',
  ],
  'a word of Khmer is torn': [
    'របៀបដែលយើងកាត់*បន្ថយពេលចាប់*ផ្តើម 83%',
    'កិច្ច*ប្រជុំសម្រាប់អតិថិ*ជននិងបុគ្គ*លិករបស់ក្រុម*ហ៊ុន',
    'រៀនសរ*សេរកម្ម*វិធីដោយប្រើមូល*ដ្ឋានទិន្ន*ន័យ',
    'ថ្ងៃដែលរថ*ភ្លើងពេលយប់ឈប់នៅស្ថា*នីយ៍ទាំងអស់',
    'អ្នកស្រាវ*ជ្រាវអានគ្រោះរាំង*ស្ងួតនៅក្នុងសាច់*ឈើចាស់ៗ',
  ],
  'a compound is torn behind a dash': ['Tuin - Onder-*water filmen'],
}

export interface KindSample {
  readonly kind: string
  readonly title: MarkedText
}

export const breakKinds: readonly KindSample[] = Object.entries(titles).flatMap(([kind, marked]) =>
  marked.map((text) => ({ kind, title: withMarks(text) })),
)

/** A bar that is no mark of the corpus is a letter here. */
function withMarks(text: string): MarkedText {
  const { text: plain, marks } = markedText(text.replaceAll('|', '\uE000'))
  const forbidden = [...marks].filter(([, mark]) => mark !== ' ')
  return { text: plain.replaceAll('\uE000', '|'), marks: new Map(forbidden) }
}
