import { describe } from 'bun:test'
import { testChecks } from '../support/check.ts'
import { sampleOf } from '../support/test-size.ts'
import { checks as charsetChecks } from './charset-checks.ts'
import { checks as httpChecks } from './http-checks.ts'
import { checks as resolverChecks } from './resolver-checks.ts'
import { checks as ssrfChecks } from './ssrf-checks.ts'
import { checks as tlsChecks } from './tls-checks.ts'

describe('bytes become the text that their author meant', () => {
  testChecks(charsetChecks)
})

describe('whatever a server does, the fetcher gives a page or says why not', () => {
  testChecks(sampleOf(httpChecks, 2))
})

describe('names, addresses and turns', () => {
  testChecks(resolverChecks)
})

describe('no URL, name or redirect leads the fetcher into a private network', () => {
  testChecks(ssrfChecks)
})

describe('https goes only to who the URL names', () => {
  testChecks(tlsChecks)
})
