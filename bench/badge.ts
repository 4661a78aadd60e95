import { makeBadge } from 'badge-maker'
import { badgen } from 'badgen'
import { renderBadge } from '../src/assets/badge/render-badge.ts'
import { benchBadgeRoute } from './badge-route.ts'
import { encodedBytes } from './support/encoded-bytes.ts'
import { comparedRows } from './support/measure.ts'
import { boundRow, type Row } from './support/row.ts'

/** Badges drawn between two looks at the clock. */
const batch = 50

interface Words {
  readonly label: string
  readonly message: string
}

/** Words that never repeat within a bench: nobody can remember an answer. */
function wordsOf(labels: readonly string[], message: string): (index: number) => Words {
  return (index) => ({ label: labels[index % labels.length] ?? '', message: `${message}${index % 100_000}` })
}

const samples = {
  'flat, ASCII': wordsOf(['build', 'coverage', 'version', 'downloads'], 'passing '),
  'flat, Chinese and Japanese': wordsOf(['构建', '覆盖率', 'ビルド', '版本'], '通过成功 '),
  'flat, Arabic': wordsOf(['بناء', 'التغطية', 'الإصدار', 'التنزيلات'], 'ناجح '),
  'flat, emoji': wordsOf(['🚀 launch', '🎉', 'família 👨‍👩‍👧‍👦', '🇩🇪'], '✅ live '),
}

/** Badges against badge-maker and badgen: time and bytes. */
export async function benchBadges(): Promise<readonly Row[]> {
  const color = '#298605'
  function ours({ label, message }: Words) {
    return renderBadge({ style: 'flat', label, message, color, links: [], idSuffix: '', scale: 1 })
  }
  function badgeMaker(words: Words) {
    return makeBadge({ ...words, color })
  }
  function badgenPeer({ label, message }: Words) {
    return badgen({ label, status: message, color: '298605' })
  }

  const rows: Row[] = []
  for (const [what, words] of Object.entries(samples)) {
    const isAscii = what === 'flat, ASCII'
    const peers = [{ name: 'badge-maker', run: drawing(badgeMaker, words), atLeast: isAscii ? 10 : 4 }]
    if (isAscii) peers.push({ name: 'badgen', run: drawing(badgenPeer, words), atLeast: 1 })
    rows.push(...(await comparedRows(what, drawing(ours, words), peers, { batch })))
  }
  const words = { label: 'build', message: 'passing' }
  rows.push(
    boundRow('bytes, flat', ours(words).length, 1400, 'bytes', `badge-maker ${badgeMaker(words).length}`),
  )
  const square = renderBadge({ style: 'flat-square', ...words, color, links: [], idSuffix: '', scale: 1 })
  rows.push(boundRow('bytes, flat-square', square.length, 650, 'bytes'))
  // Last, as two services with their caches stay behind.
  rows.push(...(await benchBadgeRoute()))
  return rows
}

function drawing(draw: (words: Words) => string, words: (index: number) => Words): (index: number) => void {
  return (index) => {
    for (let count = 0; count < batch; count++) encodedBytes(draw(words(index * batch + count)))
  }
}
