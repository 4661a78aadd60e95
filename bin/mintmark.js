#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * `mintmark` in any folder, after `npm link` or `bun link` in this one: starts the program on the Bun of this package, else
 * on that of PATH. Plain JavaScript, because it runs on Node.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const onPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => [join(folder, 'bun'), join(folder, 'bun.exe')])
const bun = [join(root, 'node_modules/bun/bin/bun.exe'), ...onPath].find((path) => existsSync(path))
if (bun === undefined)
  refuse(
    `Mintmark runs on Bun, which is neither on PATH nor in ${root}node_modules. Get it with: npm install --global bun`,
  )
else if (!existsSync(join(root, 'node_modules/commander')))
  refuse(
    `The packages of Mintmark are missing. Run once in ${root}: bun install --frozen-lockfile --production`,
  )
else start(bun)

function refuse(message) {
  console.error(message)
  process.exitCode = 1
}

function start(bun) {
  // A bunfig.toml or .env where the command is typed belongs to another program.
  const options = [`--config=${join(root, 'bunfig.toml')}`, '--no-env-file']
  const words = [...options, join(root, 'src/main.ts'), ...process.argv.slice(2)]
  const child = spawn(bun, words, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => refuse(`${bun} cannot be started: ${error.message}`))
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 1
    if (signal === null) return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
