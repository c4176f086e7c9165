import { expect, test } from 'vitest'
import type { FuzzInput } from './input.ts'
import { judge } from './judge.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json'
const brokenBy = (json: object) =>
  judge({ surface: 'a2a', framed: true } as FuzzInput, {
    status: 200,
    head: HEAD,
    body: Buffer.from(JSON.stringify(json)),
  }).broken

test.each([
  { error: { code: -32603, message: 'x' } },
  { error: { code: 1, data: [{ reason: 'INTERNAL_ERROR' }] } },
  { code: 'internal_error' },
])('an internal error is found: %j', (json) => {
  expect(brokenBy(json)).toContain('an internal error')
})

test('a UUID that contains the digits of the code is no internal error', () => {
  expect(brokenBy({ result: { contextId: '9b1deb4d-3b7d-4bad-9bdd-32603d7e8a4c' } })).toEqual([])
})
