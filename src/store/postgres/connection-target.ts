import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

export interface ConnectionTarget {
  /** Servers of one database, tried in turn. A host that starts with `/` is the folder of a Unix socket. */
  readonly hosts: readonly DatabaseHost[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Checks of the server's certificate. False: the connection is not encrypted. */
  readonly tls: false | ConnectionOptions
  /** The URL without user and password, for messages and logs. */
  readonly name: string
}

export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** Every secret is derived from the master key. */
export const sharedKeyNeeded =
  'MASTER_KEY must be set where DATABASE_URL names PostgreSQL, to the same 64 hex digits on every server, because a key in DATA_DIR belongs to one machine only. Make one with `openssl rand -hex 32`, or take master.key of the server that you move from'

const parameters = ['host', 'sslmode', 'sslrootcert', 'target_session_attrs'] as const
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/** Reads `postgres://user:password@host:port,host:port/database?…`. The errors never have the password in them. */
export function parseConnectionUrl(text: string, readFile: (path: string) => string): ConnectionTarget {
  // Exactly one @: with another, a part of a password that was not encoded would be taken for a host or a database.
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?@]*)\/([^/?@]+)(?:\?([^@]*))?$/.exec(text)
  if (parts === null)
    throw mistake(
      'must be postgres://user:password@host:port/database. Write @ : / ? in user or password as %40 %3A %2F %3F',
    )
  const [, login = '', authority = '', database = '', query = ''] = parts
  const [user = '', ...rest] = login.split(':')
  // Before anything else is read: without a user, what follows may be parts of a password that was not encoded.
  if (user === '') throw mistake('names no user: postgres://user:password@host:port/database')
  const given = readParameters(query)
  const folder = given.get('host')
  const hosts = folder === undefined ? authority.split(',').map(readHost) : [readSocket(folder, authority)]
  const name = `postgres://${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`
  return {
    hosts,
    user: decode(user),
    password: decode(rest.join(':')),
    database: decode(database),
    tls: readTls(given, hosts, readFile),
    name,
  }
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const given = new Map(new URLSearchParams(query))
  for (const name of given.keys()) {
    if (!parameters.some((known) => known === name))
      throw mistake(`has the unknown parameter ${name}; allowed are ${parameters.join(', ')}`)
  }
  const role = given.get('target_session_attrs') ?? 'read-write'
  if (!['any', 'primary', 'read-write'].includes(role))
    throw mistake('has a target_session_attrs other than read-write: a server that is read-only is of no use')
  return given
}

function readHost(text: string): DatabaseHost {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text)
  const port = Number(parts?.[2] ?? 5432)
  if (parts?.[1] === undefined || port < 1 || port > 65_535)
    throw mistake('has a host that is none; write host or host:port, several with commas between them')
  return { host: parts[1].replace(/^\[|\]$/g, ''), port }
}

/** The port is part of a socket's name; it stands where a host's would: `postgres://user@:5433/database?host=/run`. */
function readSocket(folder: string, authority: string): DatabaseHost {
  if (!folder.startsWith('/'))
    throw mistake('has a host parameter that is no folder; write hosts before the database')
  return { host: folder, port: authority === '' ? 5432 : readHost(`socket${authority}`).port }
}

/** Unless it is said otherwise, a connection that leaves this machine is encrypted and the server's certificate verified. */
function readTls(
  given: ReadonlyMap<string, string>,
  hosts: readonly DatabaseHost[],
  readFile: (path: string) => string,
): false | ConnectionOptions {
  const wanted = given.get('sslmode') ?? (hosts.every(isLocal) ? 'disable' : 'verify-full')
  const mode = tlsModes.find((known) => known === wanted)
  if (mode === undefined) throw mistake(`has an unknown sslmode; allowed are ${tlsModes.join(', ')}`)
  if (mode === 'disable') return false
  const path = given.get('sslrootcert')
  return {
    rejectUnauthorized: true,
    ...(path !== undefined && { ca: readCertificate(path, readFile) }),
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  }
}

function readCertificate(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    throw mistake(`has an sslrootcert that cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function isLocal({ host }: DatabaseHost): boolean {
  if (host.startsWith('/') || host === 'localhost') return true
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw mistake('has a % that is not followed by two hex digits; write % itself as %25')
  }
}

function mistake(what: string): Error {
  return new Error(`DATABASE_URL ${what}.`)
}
