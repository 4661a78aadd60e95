import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A project of a user in a temporary folder, with nothing of ours in it. */
export type UserProject = ReturnType<typeof createUserProject>

export function createUserProject(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-project-'))
  function write(more: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  write(files)
  return {
    folder,
    write,
    /** Runs a program in the folder. Rejects with everything that it said if it fails. */
    run: (command: readonly string[], env?: Readonly<Record<string, string>>) => run(command, folder, env),
  }
}

/**
 * A project with packages of the npm registry, each with its version. Undefined, with a line that says so, where the
 * registry cannot be reached.
 */
export async function installProject(packages: readonly string[]): Promise<UserProject | undefined> {
  const project = createUserProject({
    'package.json': '{ "name": "site", "private": true, "type": "module" }',
  })
  try {
    await project.run([process.execPath, 'add', '--exact', ...packages])
    return project
  } catch (error) {
    if (!/Connection|ENOTFOUND|EAI_AGAIN|Timeout|Unable to connect/i.test(String(error))) throw error
    console.log(`left out, as the npm registry cannot be reached: ${packages.join(', ')}`)
    return undefined
  }
}

function run([program = '', ...words]: readonly string[], cwd: string, env = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(said.join(''))
      else reject(new Error(`${program} ${words.join(' ')} ended with ${code}: ${said.join('')}`))
    })
  })
}
