import type net from 'node:net'
import { dial, hasReached, type OpenSocket } from './dial.ts'
import { FetchFailure } from './failure.ts'
import type { Secure } from './secure.ts'
import { type Limit, within } from './within.ts'

export interface Connector {
  readonly secure: Secure
  readonly openSocket?: OpenSocket
}

export interface Target {
  readonly url: URL
  readonly port: number
  /** Vetted; nothing else is connected to. */
  readonly addresses: readonly string[]
}

export async function connect(target: Target, connector: Connector, limit: Limit): Promise<net.Socket> {
  const abort = new AbortController()
  let plain: net.Socket | undefined
  async function open() {
    const { openSocket } = connector
    plain = await dial(target.addresses, target.port, {
      signal: abort.signal,
      ...(openSocket && { openSocket }),
    })
    if (openSocket === undefined && !hasReached(plain, target.addresses))
      throw new FetchFailure('blocked_address')
    return target.url.protocol === 'https:' ? connector.secure(plain, target.url.hostname) : plain
  }
  try {
    return await within(open(), ...limit)
  } catch (failure) {
    abort.abort()
    plain?.destroy()
    throw failure
  }
}
