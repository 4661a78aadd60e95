import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../store/temporary-directory.ts'

const guide = readFileSync(join(import.meta.dir, '../../docs/OPERATIONS.md'), 'utf8')
const blocks = Array.from(guide.matchAll(/```(\w+)\n([^`]*)```/g), ([, kind, text = '']) => ({ kind, text }))
const shell = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)

/** The units of the guide, by their names. */
const units = new Map(
  ['mintmark.service', 'mintmark-backup.service', 'mintmark-backup.timer'].map((name) => {
    const description = name === 'mintmark.service' ? 'Description=Mintmark\n' : `/etc/systemd/system/${name}`
    return [name, blocks.find(({ kind, text }) => kind === 'ini' && text.includes(description))?.text ?? '']
  }),
)

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd)
  console.log('left out, as systemd-analyze is missing: whether systemd takes the units of the guide')

test.skipIf(!hasSystemd)('systemd takes the units of the guide as they stand, without a warning', () => {
  const root = temporaryDirectory()
  const folder = join(root, 'etc/systemd/system')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  writeFileSync(join(root, 'usr/local/bin/bun'), '', { mode: 0o755 })
  for (const [name, text] of units)
    writeFileSync(join(folder, name), text.replaceAll('/usr/local/bin/bun', join(root, 'usr/local/bin/bun')))
  const names = [...units.keys()].map((name) => join(folder, name))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...names], {
    encoding: 'utf8',
  })
  // It speaks of the machine's own units too.
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(root))
  expect([status, ours]).toEqual([0, []])
})

test('what the units need is made by a step of the guide: user, folders, program', () => {
  const steps = shell.join('\n')
  for (const text of units.values()) {
    for (const [, user] of text.matchAll(/^User=(.+)$/gm))
      expect(steps).toMatch(new RegExp(`useradd .* ${user}$`, 'm'))
    for (const [, folder] of text.matchAll(/^WorkingDirectory=(.+)$/gm))
      expect(steps).toContain(`git clone <this repository> ${folder}\n`)
    for (const [, folder] of text.matchAll(/ backup (\S+)$/gm))
      expect(steps).toContain(`install -d -m 700 -o mintmark ${folder}\n`)
    for (const [, file] of text.matchAll(/^LoadCredential=[^:]+:(.+)$/gm)) expect(steps).toContain(file ?? '')
  }
  expect(units.get('mintmark.service')).toMatch(/^StateDirectory=mintmark$/m)
})

test('every shell block of the guide is valid shell', () => {
  expect(shell.length).toBeGreaterThan(5)
  for (const block of shell) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: block.replace('<this repository>', 'here'),
      encoding: 'utf8',
    })
    expect([block, status, stderr]).toEqual([block, 0, ''])
  }
})
