import { operatorPassword } from '../admin/support/admin-server.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

/** Settings that servers of one database share. */
export const sharedSettings = { MASTER_KEY: '5e'.repeat(32), ADMIN_PASSWORD: operatorPassword } as const

/** Starts the program as one of several servers of a database. */
export function startServerOn(
  databaseUrl: string,
  { env = {}, ...options }: ServerOptions = {},
): Promise<TestServer> {
  return startServer({ ...options, env: { DATABASE_URL: databaseUrl, ...sharedSettings, ...env } })
}

/** Everything that a server has written: its log, and what it said beside it. */
export function outputOf({ lines, complaints }: TestServer): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n${complaints.join('')}`
}
