import { describe, expect, test } from 'bun:test'
import { cleanText } from '../../src/text/clean-text.ts'
import { initials } from '../../src/text/initials.ts'
import { badgeCases } from '../support/badge-cases.ts'
import { namesByScript } from './initials-table.ts'

const cases = badgeCases.filter(
  ({ query, expect }) => query['kind'] === 'avatar' && typeof expect.json?.['initials'] === 'string',
)

for (const { id, query, expect: expected, why } of cases) {
  test(`${id}: ${query['name']} (${why})`, () => {
    const made = initials(cleanText(String(query['name'])), {
      uppercase: query['uppercase'] !== 'false',
      ...(query['length'] && { length: Number(query['length']) }),
      ...(query['lang'] && { lang: query['lang'] }),
    })
    expect(made).toBe(String(expected.json?.['initials']))
  })
}

const table: readonly [name: string, initials: string, length?: number][] = [
  ['Prof. Dr. Angela Merkel', 'AM'],
  ['Sir Tim Berners-Lee', 'TB'],
  ['van Gogh, Vincent', 'VG'],
  ['King, Martin Luther, Jr.', 'MK'],
  ['John Doe, MA', 'JD'],
  ['Jack Ma', 'JM'],
  ['John Doe, CFA', 'JD'],
  ['al-Khwarizmi', 'K'],
  ["d'Artagnan", 'A'],
  ['"Jane Doe" <jane@x.com>', 'JD'],
  ['@john_doe', 'JD'],
  ['Oscar de la Renta', 'OR'],
  ['عبد الرحمن', 'ع\u200Cر'],
  ['แอน โจ', 'อจ'],
  ['مُحَمَّد عَلِي', 'م\u200Cع'],
  ['שָׁלוֹם כֹּהֵן', 'שכ'],
  ['สมชาย ก้อง', 'สก'],
  ['ທ້າວ ກ້າ', 'ທກ'],
  ['李小龙 Bruce Lee', '李'],
  ['vincent van gogh', 'VG'],
  ['Van Morrison', 'VM'],
  ["Guillaume de l'Hôpital", 'GH'],
  ['Ada Lovelace', 'ALO', 3],
  ['Mary Jane Watson', 'M', 1],
  ['王小明', '王小', 2],
  ['ジョン・スミス', 'ジ'],
  ['Ιωάννης Παπαδόπουλος', 'ΙΠ'],
  ['Владимир Набоков', 'ВН'],
  ['ʻAolani Kealoha', 'AK'],
  ['เกษม สุข', 'กสุ'],
  ['DOE, JOHN', 'JD'],
  ['Smith, LaToya', 'LS'],
  ['Jane Doe, M.Sc., FRS', 'JD'],
  ['Dr. Sen Gupta', 'SG'],
  ['J.R.R.', 'JR'],
  ['"The Rock"', 'TR'],
  ['<jane.doe@example.com>', 'JD'],
  ['2Pac Shakur', '2S'],
  ['★★★', ''],
  ['M. Night Shyamalan', 'MS'],
  ['ben.smith@example.com', 'BS'],
  ['al pacino', 'AP'],
  ['el guapo', 'G'],
  ['Dr.Jane Doe', 'JD'],
  ['The Rev. John Smith', 'JS'],
  ['The Rock', 'TR'],
  ['Dr. med. Jane Doe', 'JD'],
  ['Dr. h.c. Jane Doe', 'JD'],
  ['Doctor Jane Doe', 'JD'],
  ['Foo Bar, Inc.', 'FB'],
  ['Acme, Inc.', 'A'],
  ['J.R.R. Tolkien', 'JRT', 3],
  ['John Doe, M.D.', 'JD', 2],
  ['\u3164', ''],
  ['\uffa0 x', 'X'],
  ['ㄱㄴ', 'ㄱ'],
  ['Dr. Ada Lovelace', 'AL'],
  ['Lovelace, Ada', 'AL'],
  ['Martin Luther King Jr.', 'MK'],
  ['BOB', 'B'],
  ['ЛЕВ', 'Л'],
  ['ÉVA', 'É'],
  ['JFK', 'JK'],
  ['AL', 'AL'],
  ['grace brewster murray hopper', 'GH'],
  ['Ludwig van Beethoven', 'LB'],
  ['Prince', 'P'],
  ['jean-luc picard', 'JP'],
  ['@mira_holm', 'MH'],
  ['Søren Kierkegaard (philosopher)', 'SK'],
  ['Лев Толстой', 'ЛТ'],
  ['Νίκος Καζαντζάκης', 'ΝΚ'],
  ['עדה לאבלייס', 'על'],
  ['أحمد الخوارزمي', 'أ\u200Cخ'],
  ['الخوارزمي', 'خ'],
  ['夏目漱石', '夏'],
  ['세종대왕', '세'],
  ['क्षितिज शर्मा', 'क्षिश'],
  ['3 Blue 1 Brown', 'BB'],
  ['ßtefan', 'ẞ'],
  ['van', 'V'],
  ['🚀', '🚀'],
  ['—', ''],
  ['()', ''],
  ['... !', ''],
]
for (const [name, expected, length] of table) {
  test(`${name} gives ${expected || 'nothing'}${length ? ` at length ${length}` : ''}`, () => {
    expect(initials(name, { uppercase: true, ...(length && { length }) })).toBe(expected)
  })
}

/** Author fields of pages: bylines, several authors, roles, organisations. */
const authorFields: readonly (readonly [field: string, initials: string])[] = [
  ['Ada Lovelace, Grace Hopper', 'AL'],
  ['Ada Lovelace, Grace Hopper, Alan Turing', 'AL'],
  ['Ada Lovelace, Grace Hopper and Alan Turing', 'AL'],
  ['Ada Lovelace and Grace Hopper', 'AL'],
  ['Ada Lovelace & Grace Hopper', 'AL'],
  ['Ada Lovelace und Grace Hopper', 'AL'],
  ['Ada Lovelace; Grace Hopper', 'AL'],
  ['Lovelace, Ada; Hopper, Grace', 'AL'],
  ['Lovelace, Ada and Hopper, Grace', 'AL'],
  ['Lovelace, A., Hopper, G.', 'AL'],
  ['Ada Lovelace / Grace Hopper', 'AL'],
  ['Ada Lovelace et al.', 'AL'],
  ['Ada Lovelace, Grace Hopper, et al.', 'AL'],
  ['Ada Lovelace, et al.', 'AL'],
  ['Lovelace, et al.', 'L'],
  ['Ada Lovelace and 3 others', 'AL'],
  ['山田太郎、鈴木花子', '山'],
  ['山田太郎, 鈴木花子', '山'],
  ['山田, 太郎', '山'],
  ['김철수, 이영희', '김'],
  ['王小明，李雷', '王'],
  ['محمد علي، أحمد خالد', 'م\u200Cع'],
  ['Ada Lovelace, Staff Engineer', 'AL'],
  ['Ada Lovelace, Acme Corp', 'AL'],
  ['Ada Lovelace, CEO', 'AL'],
  ['Ada, Staff Engineer', 'A'],
  ['Ada, CEO of Acme', 'A'],
  ['By Ada Lovelace', 'AL'],
  ['by Ada Lovelace', 'AL'],
  ['BY ADA LOVELACE', 'AL'],
  ['By Ada Lovelace and Grace Hopper', 'AL'],
  ['Written by Ada Lovelace', 'AL'],
  ['Posted by Ada Lovelace', 'AL'],
  ['Von Anna Schmidt', 'AS'],
  ['Por María García', 'MG'],
  ['Par Jean Dupont', 'JD'],
  ['Von Miller', 'VM'],
  ['Author: Ada Lovelace', 'AL'],
  ['Autor: Jan Kowalski', 'JK'],
  ['作者：张三', '张'],
  ['文/张三', '张'],
  ['记者 张三', '张'],
  ['بقلم: محمد علي', 'م\u200Cع'],
  ['Text: Ada Lovelace, Fotos: Grace Hopper', 'AL'],
  ['van der Berg, Jan', 'JB'],
  ['Van Gogh, Vincent', 'VG'],
  ['De La Cruz, Juan', 'JC'],
  ['Ben Smith, Jane Doe', 'BS'],
  ['Van Morrison, Grace Hopper', 'VM'],
  ['Smith Jr., John', 'JS'],
  ['García Márquez, Gabriel', 'GM'],
  ['Acme, GmbH', 'A'],
  ['Foo Bar, Ltd', 'FB'],
  ['Doe, Ltd.', 'D'],
  ['Ada Lovelace, PhD', 'AL'],
  ['Lovelace, PhD', 'L'],
  ['Ada Lovelace, PhD, Staff Engineer', 'AL'],
  ['Dr. Ada Lovelace, Prof. Grace Hopper', 'AL'],
  ['Ada Lovelace <ada@x.com>, Grace Hopper <grace@x.com>', 'AL'],
  ['noreply@blogger.com (Ada Lovelace)', 'AL'],
  ['ada.lovelace@x.com, grace@x.com', 'AL'],
  ['Ada Lovelace - Acme', 'AL'],
  ['Ada Lovelace in Berlin', 'AL'],
  ['Ada Lovelace for The Guardian', 'AL'],
  ['Department of Health and Human Services', 'DS'],
  ['Иван Петров, Мария Иванова', 'ИП'],
  ['Иван Петров и Мария Иванова', 'ИП'],
  ['Smith, Jones & Brown', 'SB'],
  ['Smith, Jones & Co', 'SC'],
  ['Procter & Gamble', 'PG'],
  ['Ada, Grace, Alan', 'A'],
  ['Ada, Grace and Alan', 'A'],
  ['Berners-Lee, Tim', 'TB'],
  ['Lovelace, Ada Augusta', 'AL'],
  ['Lovelace, Ada (Acme)', 'AL'],
  ['José Ortega y Gasset', 'JG'],
  ['Ada Lovelace, Grace Hopper & Alan Turing', 'AL'],
  ['Lovelace, Ada, Staff Engineer', 'AL'],
  ['Jane Doe and agencies', 'JD'],
  ['Ada Lovelace|Grace Hopper', 'AL'],
  ['Jane Doe/Getty Images', 'JD'],
  ['Ein Gastbeitrag von Max Mustermann', 'MM'],
  ['Gastbeitrag von Max Mustermann', 'MM'],
  ['Propos recueillis par Jean Dupont', 'JD'],
  ['door Jan Jansen', 'JJ'],
  ['a cura di Mario Rossi', 'MR'],
  ['新华社记者张三', '张'],
  ['글 김철수', '김'],
  ['取材・文＝山田太郎', '山'],
  ['بقلم / محمد علي', 'م\u200Cع'],
  ['La Repubblica, Mario Rossi', 'LR'],
  ['Dr. Ada Lovelace, MD and Grace Hopper, PhD', 'AL'],
  ['von Max Mustermann', 'MM'],
  ['Smith Jr., John', 'JS'],
  ['Ada Lovelace - Acme', 'AL'],
  ['de la Cruz, Juan', 'JC'],
  ['VON TRAPP, MARIA', 'MT'],
  ['Ravi s/o Muthu', 'RM'],
]

test('an author field gives the initials of the person named first', () => {
  const made = authorFields.map(([field]) => [field, initials(cleanText(field))])
  expect(made).toEqual(authorFields.map((row) => [...row]))
})

test('initials follow the casing of the language, and survive a language tag that is none', () => {
  expect(initials('ibrahim ilhan', { lang: 'tr' })).toBe('İİ')
  expect(initials('ibrahim ilhan', { lang: 'not a tag!' })).toBe('II')
})

describe('Readers of 28 scripts find the initials that they expect', () => {
  const names = Object.values(namesByScript).flat()
  test('the table is as large as it says', () => {
    expect(names.length).toBeGreaterThanOrEqual(200)
    expect(Object.keys(namesByScript).length - 2).toBe(28)
  })
  for (const [script, rows] of Object.entries(namesByScript)) {
    test(script, () => {
      expect(rows.map(([name]) => [name, initials(cleanText(name))])).toEqual(rows.map((row) => [...row]))
    })
  }
})
