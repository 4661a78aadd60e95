import { createWebFetcher } from '../../../src/web/web-fetcher.ts'

/** A fetcher that may reach this port of this machine. */
export function loopbackFetcher(port: number, more: Partial<Parameters<typeof createWebFetcher>[0]> = {}) {
  return createWebFetcher({ userAgent: 'Test', allowCidrs: ['127.0.0.0/8'], allowPorts: [port], ...more })
}

/** Every name leads to this machine. */
export async function loopbackLookup(_: string, family: 4 | 6) {
  return family === 4 ? [{ address: '127.0.0.1', ttl: 60 }] : []
}
