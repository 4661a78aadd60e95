import { readdirSync, writeFileSync } from 'node:fs'

/** Part of `bun run db:generate`: lists the migrations in order, as text, so that they are inside the executable too. */
listMigrations('drizzle', 'src/store', '../../drizzle')
listMigrations('src/store/postgres/sql', 'src/store/postgres', './sql')

function listMigrations(folder: string, target: string, path: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const names = files.sort().map((name) => [name, `sql${name.slice(0, 4)}`] as const)
  const lines = [
    '// Made by `bun run db:generate`.',
    ...names.map(([file, name]) => `import ${name} from '${path}/${file}' with { type: 'text' }`),
    `export const migrations: readonly string[] = [${names.map(([, name]) => name).join(', ')}]`,
  ]
  writeFileSync(`${target}/migrations.generated.ts`, `${lines.join('\n')}\n`)
}
