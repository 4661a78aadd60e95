import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { mintmark, mintmarkProcess } from './support/mintmark.ts'

const directory = temporaryDirectory()
const source = join(directory, 'site')
mkdirSync(join(source, 'src'), { recursive: true })
writeFileSync(join(source, 'src/index.md'), '# Hello')
const brand = join(directory, 'acme')
mkdirSync(brand)
writeFileSync(join(brand, 'brand.json'), '{"name":"Acme","slug":"acme","logo":"mark.svg"}')
const nowhere = { DATA_DIR: join(directory, 'nowhere') }
/** Never made, because only commands that make no folder are given it. */
const elsewhere = { DATA_DIR: join(directory, 'elsewhere') }

interface Move {
  readonly name: string
  readonly words: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Parts of the message: the mistake, and the remedy. */
  readonly told: readonly string[]
}

const moves: readonly Move[] = [
  {
    name: 'a command in other words',
    words: ['card', source],
    told: ["unknown command 'card'", 'Did you mean cards?'],
  },
  {
    name: 'an option of a command below another in other words',
    words: ['key', 'limit', 'mk_2345678abcdefghj', '--quota', '5'],
    told: ["unknown option '--quota'", '--help tells more'],
  },
  {
    name: 'cards for a site that is not built',
    words: ['cards', source],
    told: ['there is no HTML page in it', 'Build the site first', '_site'],
  },
  {
    name: 'cards for a folder that there is not',
    words: ['cards', join(directory, 'dist')],
    told: ['there is no such file or folder'],
  },
  {
    name: 'signing with a key and without its secret',
    words: ['sign', '--title', 'Hello', '--key', 'mk_2345678abcdefghj'],
    told: ['sign needs --secret, or MINTMARK_SECRET'],
  },
  {
    name: 'signing with a secret and without its key',
    words: ['sign', '--title', 'Hello'],
    env: { MINTMARK_SECRET: 'b'.repeat(64) },
    told: ['sign needs --key, or MINTMARK_KEY'],
  },
  {
    name: 'rows of a file that there is not',
    words: ['render', '--from', join(directory, 'rows.csv'), '--out', directory],
    told: ['rows.csv cannot be read: there is no such file or folder'],
  },
  {
    name: 'keys in another folder than that of the server',
    words: ['key', 'list'],
    env: elsewhere,
    told: ['There is no database at', 'Set DATA_DIR as for the server'],
  },
  {
    name: 'brands in another folder than that of the server',
    words: ['brand', 'list'],
    env: elsewhere,
    told: ['There is no database at', 'Set DATA_DIR as for the server'],
  },
  {
    name: 'a brand whose logo is not beside it',
    words: ['brand', 'import', brand],
    env: nowhere,
    told: ['brand.json: logo "mark.svg" cannot be read: there is no such file or folder'],
  },
  {
    name: 'an address without its scheme',
    words: ['serve'],
    env: { ...nowhere, BASE_URL: 'cards.example' },
    told: ['BASE_URL must be an absolute http or https URL, such as https://cards.example'],
  },
  {
    name: 'a database of another kind',
    words: ['serve'],
    env: { ...nowhere, DATABASE_URL: 'mysql://root@localhost/mintmark' },
    told: ['DATABASE_URL must be sqlite:<path> or postgres://'],
  },
  {
    name: 'a short password',
    words: ['serve'],
    env: { ...nowhere, ADMIN_PASSWORD: 'secret' },
    told: ['ADMIN_PASSWORD must have 10 to 1000 characters'],
  },
  {
    name: 'a number in words',
    words: ['serve'],
    env: { ...nowhere, WORKERS: 'four' },
    told: ['WORKERS must be auto, or an integer from 1 to 256'],
  },
]

test.each(moves.map((move) => [move.name, move] as const))(
  '%s: the message says what helps',
  async (_, { words, env = {}, told }) => {
    const run = words[0] === 'serve' ? mintmarkProcess : mintmark
    const { exitCode, errors } = await run(words, { env })
    expect(exitCode).toBe(1)
    for (const text of told) expect(errors).toContain(text)
    expect(errors).not.toMatch(/^\s+at /m)
  },
)
