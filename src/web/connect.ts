import type net from 'node:net'
import { connectTcp, hasReached, type OpenSocket } from './connect-tcp.ts'
import type { ConnectTls } from './connect-tls.ts'
import { FetchFailure } from './fetch-failure.ts'
import { type Timeout, withTimeout } from './timeout.ts'

export interface Connector {
  readonly connectTls: ConnectTls
  readonly openSocket?: OpenSocket
}

export interface ConnectTarget {
  readonly url: URL
  readonly port: number
  /** Checked by the address policy. No other address is connected to. */
  readonly addresses: readonly string[]
}

/** Opens a connection to the target, with TLS for https. Rejects with FetchFailure; nothing stays open then. */
export async function connect(
  target: ConnectTarget,
  connector: Connector,
  timeout: Timeout,
): Promise<net.Socket> {
  const abort = new AbortController()
  let plain: net.Socket | undefined
  async function open() {
    const { openSocket } = connector
    plain = await connectTcp(target.addresses, target.port, {
      signal: abort.signal,
      ...(openSocket && { openSocket }),
    })
    if (openSocket === undefined && !hasReached(plain, target.addresses))
      throw new FetchFailure('blocked_address')
    return target.url.protocol === 'https:' ? connector.connectTls(plain, target.url.hostname) : plain
  }
  try {
    return await withTimeout(open(), ...timeout)
  } catch (failure) {
    abort.abort()
    plain?.destroy()
    throw failure
  }
}
