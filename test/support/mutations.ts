import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import faults from './mutations.json' with { type: 'json' }

/**
 * Seeds the faults of `mutations.json` one after the other in a copy of the tree, and says of each whether the test that is
 * named finds it. A fault whose text is not in its file exactly once has to be written anew. Arguments are parts of names.
 */
function tryFaults(): boolean {
  const root = process.cwd()
  const copy = mkdtempSync(join(tmpdir(), 'mintmark-mutations-'))
  try {
    const files = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.trim().split('\n')
    for (const file of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(root, file), join(copy, file))
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const wanted = process.argv.slice(2)
    const chosen = faults.filter(
      ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
    )
    const outcomes = chosen.map((fault) => {
      const outcome = tryFault(copy, fault)
      console.log(`${outcome}: ${fault.name} (${fault.test})`)
      return outcome
    })
    console.log(`${outcomes.filter((outcome) => outcome === 'found').length} of ${outcomes.length} found`)
    return outcomes.every((outcome) => outcome === 'found')
  } finally {
    rmSync(copy, { recursive: true })
  }
}

interface Fault {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly replacement: string
  readonly test: string
}

/** A mutated program may also hang, which is a failure as well. */
const timeoutMs = 300_000

function tryFault(folder: string, { file, text, replacement, test }: Fault): 'found' | 'missed' | 'stale' {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(text).length !== 2) return 'stale'
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  )
  const { status } = spawnSync(process.execPath, ['test', `./${test}`], { cwd: folder, timeout: timeoutMs })
  writeFileSync(path, source)
  return status === 0 ? 'missed' : 'found'
}

process.exit(tryFaults() ? 0 : 1)
