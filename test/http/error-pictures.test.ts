import { expect, test } from 'bun:test'
import { invalidQuery } from '../../src/errors.ts'
import { problemResponse } from '../../src/http/problem-response.ts'

const picture = 'image/svg+xml'
const json = 'application/problem+json'

test.each([
  ['image/png', picture],
  ['IMAGE/PNG', picture],
  ['image/avif,image/webp,*/*;q=0.8', picture],
  ['image/*, application/json;q=0', picture],
  ['image/*, APPLICATION/JSON ; Q=0.000', picture],
  ['image/*;q=0.01', picture],
  ['image/*, application/json;q=0.1', json],
  ['Application/JSON;charset=utf-8, image/*', json],
  ['image/png;q=0', json],
  ['*/*', json],
  ['text/html;x=image/', json],
  ['', json],
])('Accept: %s has a wrong query answered with %s', (accept, expected) => {
  const request = new Request('http://localhost/api/og', { headers: { accept } })
  const problem = invalidQuery([{ parameter: 'title', message: 'is required' }])
  const response = problemResponse(problem, { request, baseUrl: '' })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, expected])
})
