import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import definition from '@dicebear/styles/initials.json' with { type: 'json' }
import { Avatar, Style } from 'dicebear-10'
import { avatarOf } from '../src/assets/avatar/avatar-of.ts'
import { createAvatarRenderer } from '../src/assets/avatar/avatar-renderer.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows } from './support/measure.ts'
import { boundRow, type Row } from './support/row.ts'

/** Avatars drawn between two looks at the clock. */
const batch = 50

const given = [
  'Ada',
  'Grace',
  'Alan',
  'Katherine',
  'Linus',
  'Margaret',
  'Dennis',
  'Barbara',
  'Edsger',
  'Radia',
]
const family = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Johnson',
  'Hamilton',
  'Ritchie',
  'Liskov',
  'Perlman',
  'Quine',
  'Wirth',
]
const syllables = ['an', 'el', 'or', 'is', 'um', 'et', 'ar', 'on']

/** Plain Latin names; hardly one comes twice. */
function nameOf(index: number): string {
  const tail = `${syllables[index % 8]}${syllables[(index >> 3) % 8]}${syllables[(index >> 6) % 8]}`
  return `${given[index % 10]} ${family[(index >> 2) % 10]}${tail}`
}

const defaults = {
  size: 128,
  style: 'plain',
  length: 'auto',
  bold: false,
  uppercase: true,
  text: 'auto',
  format: 'svg',
} as const

/** Avatars of plain Latin names against DiceBear: time and bytes. */
export async function benchAvatars(): Promise<readonly Row[]> {
  const renderer = createAvatarRenderer(createTextEngine())
  function ours(name: string) {
    return renderer.svg(avatarOf({ ...defaults, name }))
  }
  const style = new Style(definition)
  function dicebear9(seed: string) {
    return createAvatar(initials, { seed, size: 128 }).toString()
  }
  function dicebear10(seed: string) {
    return new Avatar(style, { seed, size: 128 }).toString()
  }

  for (let index = 0; index < 2000; index++) await ours(nameOf(index))
  return [
    ...(await comparedRows(
      'plain Latin name',
      drawing(ours),
      [
        { name: 'DiceBear 9 initials', run: drawing(dicebear9), atLeast: 3 },
        { name: 'DiceBear 10 initials', run: drawing(dicebear10), atLeast: 10 },
      ],
      { batch },
    )),
    boundRow(
      'bytes',
      (await ours('Ada Lovelace')).length,
      800,
      'bytes',
      `DiceBear 9 ${dicebear9('Ada Lovelace').length}`,
    ),
  ]
}

function drawing(draw: (name: string) => string | Promise<string>): (index: number) => Promise<void> {
  return async (index) => {
    for (let count = 0; count < batch; count++) {
      const svg = draw(nameOf(index * batch + count))
      encodedBytes(typeof svg === 'string' ? svg : await svg)
    }
  }
}
