import type { TObject } from '@sinclair/typebox'
import type { ProblemCode } from '../../errors.ts'
import { keyIdQuery } from '../../http/key-id-query.ts'
import type { SchemaName } from '../openapi/schemas.ts'

/** A public operation that is no asset of the catalog. */
export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post'
  readonly path: string
  readonly summary: string
  /** The section of the reference that lists it. */
  readonly section: 'keys' | 'payments' | 'machines' | 'pages'
  readonly query?: TObject
  readonly mediaType: string
  /** Schema of a JSON response. */
  readonly schema?: SchemaName
  readonly problems?: readonly ProblemCode[]
  readonly canCost?: boolean
}

const json = 'application/json'
const html = 'text/html'
const plain = 'text/plain'

function page(id: string, path: string, summary: string): Operation {
  return {
    id,
    method: 'get',
    path,
    summary,
    section: 'pages',
    mediaType: html,
  }
}

/** Every public operation that is no asset. The reference, OpenAPI and the test of the routes follow from it. */
export const operations: readonly Operation[] = [
  {
    id: 'issueKey',
    method: 'get',
    path: '/api/key',
    summary: 'Issues a key pair. The secret is shown this once.',
    section: 'keys',
    mediaType: json,
    schema: 'KeyPair',
    problems: ['rate_limited', 'issuing_closed'],
  },
  {
    id: 'keyUsage',
    method: 'get',
    path: '/api/usage',
    summary: 'What a key has used today and in the last seven days.',
    section: 'keys',
    query: keyIdQuery,
    mediaType: json,
    schema: 'Usage',
    problems: ['invalid_query', 'unknown_key'],
  },
  {
    id: 'upgradeWays',
    method: 'get',
    path: '/api/upgrade',
    summary: 'The ways to lift the quota of a key.',
    section: 'keys',
    mediaType: json,
    schema: 'UpgradeWays',
  },
  {
    id: 'upgradeKey',
    method: 'post',
    path: '/api/upgrade',
    summary: 'Lifts the quota of a key, for a payment.',
    section: 'keys',
    query: keyIdQuery,
    mediaType: json,
    schema: 'Upgraded',
    problems: ['invalid_query', 'invalid_body', 'unknown_key', 'payments_unavailable'],
    canCost: true,
  },
  {
    id: 'paymentTerms',
    method: 'get',
    path: '/api/payment-required',
    summary: 'The 402 of every priced call in one.',
    section: 'payments',
    mediaType: json,
    schema: 'PaymentRequired',
  },
  {
    id: 'x402Discovery',
    method: 'get',
    path: '/.well-known/x402',
    summary: 'What is for sale, for programs that look around.',
    section: 'payments',
    mediaType: json,
    schema: 'Discovery',
  },
  {
    id: 'openapi',
    method: 'get',
    path: '/openapi.json',
    summary: 'This interface as OpenAPI 3.1.',
    section: 'machines',
    mediaType: json,
    schema: 'Discovery',
  },
  {
    id: 'llms',
    method: 'get',
    path: '/llms.txt',
    summary: 'This site for language models.',
    section: 'machines',
    mediaType: plain,
  },
  {
    id: 'robots',
    method: 'get',
    path: '/robots.txt',
    summary: 'What crawlers may visit.',
    section: 'machines',
    mediaType: plain,
  },
  {
    id: 'siteMap',
    method: 'get',
    path: '/sitemap.xml',
    summary: 'The pages of this site.',
    section: 'machines',
    mediaType: 'application/xml',
  },
  {
    id: 'healthz',
    method: 'get',
    path: '/healthz',
    summary: 'Alive: the process answers.',
    section: 'machines',
    mediaType: json,
    schema: 'Health',
  },
  {
    id: 'readyz',
    method: 'get',
    path: '/readyz',
    summary: 'Ready: the store answers and the service is not stopping.',
    section: 'machines',
    mediaType: json,
    schema: 'Health',
    problems: ['not_ready'],
  },
  {
    id: 'metrics',
    method: 'get',
    path: '/metrics',
    summary: 'Counters for Prometheus; from this machine, or with the token as a bearer.',
    section: 'machines',
    mediaType: plain,
    problems: ['not_found'],
  },
  page('home', '/', 'What this is, and the playground.'),
  page('docs', '/docs', 'The reference.'),
  page('errors', '/docs/errors', 'Every error with its cause and remedy.'),
  page('status', '/status', 'What the service does at this moment.'),
  page('bot', '/bot', 'About our fetcher, and how to keep it out.'),
]
