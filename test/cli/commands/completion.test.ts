import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { hangMsMax } from '../../support/hang-limit.ts'
import { mintmark } from '../support/mintmark.ts'

setDefaultTimeout(hangMsMax)

const main = join(import.meta.dir, '../../../src/main.ts')

/** Candidates for the last of the words typed so far, which may be empty. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const marked = words.map((word) => `.${word}`)
  const { exitCode, output, errors } = await mintmark(['completion', '--words', ...marked])
  expect([exitCode, errors]).toEqual([0, ''])
  return output.split('\n').filter((line) => line !== '')
}

/** A folder for PATH in which `mintmark` is the program of the source. */
function programFolder(): string {
  const folder = temporaryDirectory()
  const path = join(folder, 'mintmark')
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`)
  chmodSync(path, 0o755)
  return folder
}

describe('completion', () => {
  test('offers commands, commands of commands, options and their values, and nothing where any text may stand', async () => {
    expect(await completed('')).toContain('render')
    expect(await completed('do')).toEqual(['doctor'])
    expect(await completed('key', 'ex')).toEqual(['expire', 'export'])
    expect(await completed('doctor', '--a')).toEqual(['--alert'])
    expect(await completed('render', '--sch')).toEqual(['--scheme'])
    expect(await completed('render', '--scheme', '')).toEqual(['light', 'dark'])
    expect(await completed('render', '--scheme=d')).toEqual(['--scheme=dark'])
    expect(await completed('key', 'rotate', '--overlap', '1')).toEqual(['1', '168'])
    expect(await completed('render', '--from', '')).toEqual([])
    expect(await completed('cards', '')).toEqual([])
    expect(await completed('no-such-command', '')).toContain('render')
  })

  test('refuses a shell that it has no script for', async () => {
    const { exitCode, errors } = await mintmark(['completion', 'csh'])
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('Name a shell: bash, zsh, fish.')])
  })

  test('works in bash, with a value behind a sign of equality too', async () => {
    const { output: script } = await mintmark(['completion', 'bash'])
    function press(...words: readonly string[]): readonly string[] {
      const typed = ['mintmark', ...words].map((word) => `'${word}'`).join(' ')
      const code = `${script}\nCOMP_WORDS=(${typed})\nCOMP_CWORD=${words.length}\n_mintmark\nprintf '%s\\n' "\${COMPREPLY[@]}"`
      const env = { PATH: `${programFolder()}:${process.env['PATH']}` }
      const { stdout } = spawnSync('bash', ['-c', code], { env, encoding: 'utf8' })
      return stdout.split('\n').filter((line) => line !== '')
    }
    expect(press('mo')).toEqual(['move'])
    expect(press('render', '--theme', 'p')).toEqual(['paper', 'poster', 'plain'])
    expect(press('render', '--theme', '=', 'te')).toEqual(['terminal'])
    expect(press('cards', '')).toEqual([])
  })

  const fish = Bun.which('fish')
  test.skipIf(fish === null)('works in fish', async () => {
    const { output: script } = await mintmark(['completion', 'fish'])
    const env = { PATH: `${programFolder()}:${process.env['PATH']}`, HOME: temporaryDirectory() }
    const code = `${script}\ncomplete -C 'mintmark render --theme p'`
    const { stdout } = spawnSync(fish ?? '', ['-c', code], { env, encoding: 'utf8' })
    expect(stdout.trim().split('\n').toSorted()).toEqual(['paper', 'plain', 'poster'])
  })

  const zsh = Bun.which('zsh')
  test.skipIf(zsh === null)('is a script that zsh takes', async () => {
    const { output: script } = await mintmark(['completion', 'zsh'])
    const code = `words=(mintmark render --theme p) CURRENT=4\ncompadd() { shift; print -l -- "$@" }\n_files() { print files }\n${script}`
    const env = { PATH: `${programFolder()}:${process.env['PATH']}` }
    const { stdout } = spawnSync(zsh ?? '', ['-f', '-c', `run() { ${code}\n}\nrun`], {
      env,
      encoding: 'utf8',
    })
    expect(stdout.trim().split('\n')).toEqual(['paper', 'poster', 'plain'])
  })
})
