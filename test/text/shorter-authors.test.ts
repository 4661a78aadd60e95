import { describe, expect, test } from 'bun:test'
import { shorterAuthors } from '../../src/text/names/shorter-authors.ts'

describe('Several authors that do not fit are the first of them and how many others there are', () => {
  const cases: readonly (readonly [author: string, lang: string | undefined, shorter: string])[] = [
    [
      'Ada Lovelace, Grace Hopper, Alan Turing and Katherine Johnson',
      'en',
      'Ada Lovelace, Grace Hopper and 2 more',
    ],
    ['By Ada Lovelace, Grace Hopper, & Alan Turing', 'en-GB', 'Ada Lovelace and 2 more'],
    ['Jan de Vries, Piet van der Berg, Anna Smit', 'nl', 'Jan de Vries en nog 2'],
    [
      'Marie Curie; Pierre Curie; Henri Becquerel; Irène Joliot',
      'fr',
      'Marie Curie; Pierre Curie et 2 autres',
    ],
    ['Анна Иванова, Пётр Сидоров и Мария Петрова', 'ru', 'Анна Иванова и ещё 2'],
    ['أحمد الخوارزمي، فاطمة الفهري، عمر الخيام', 'ar', 'أحمد الخوارزمي و2 آخرون'],
    ['山田太郎、鈴木花子、佐藤次郎', 'ja', '山田太郎、他2名'],
    ['王小明，李小红，张三丰', undefined, '王小明和另外2人'],
    ['김철수, 이영희, 박민수, 최지우', undefined, '김철수, 이영희 외 2명'],
    ['Ada Lovelace and Grace Hopper · 3 May 2026', 'en', 'Ada Lovelace +1 · 3 May 2026'],
    ['Ana Ruiz, Eva Gil, Luis Paz', undefined, 'Ana Ruiz +2'],
  ]
  for (const [author, lang, shorter] of cases) {
    test(author, () => expect(shorterAuthors(author, lang, author)[0]).toBe(shorter))
  }

  test('in the language of an English title where nobody says one', () => {
    const authors = 'Ada Lovelace, Grace Hopper, Alan Turing'
    expect(shorterAuthors(authors, undefined, 'How we cut cold starts')).toEqual(['Ada Lovelace and 2 more'])
  })

  const others = [
    'Ada Lovelace',
    'Lovelace, Ada',
    'Ada Lovelace, Staff Engineer',
    'Ada Lovelace, PhD',
    'Ada Lovelace, Grace Hopper, et al.',
    'Ada Lovelace, Grace Hopper and 3 others',
    'Lovelace, A. K., Hopper, G.',
    'Smith, Jones & Co',
    'Ben & Jerry',
    'Department of Physics, University of Oxford, Clarendon Laboratory',
    'Harbour Ltd., Since 1949',
  ]
  for (const author of others) {
    test(`${author} is no list`, () => expect(shorterAuthors(author, 'en', '')).toEqual([]))
  }
})
