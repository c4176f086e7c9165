import supertest from 'supertest'
import { afterEach, expect, test, vi } from 'vitest'

import { type AccessEntry, accessLog } from '../../src/http/access-log.ts'
import { setAccessLogFields } from '../../src/http/access-log-fields.ts'
import type { Handler } from '../../src/http/middleware.ts'
import { unexpectedError } from '../../src/http/unexpected-error.ts'

afterEach(() => void vi.restoreAllMocks())

test('writes fields, method, status and time, once per response', async () => {
  const entries: AccessEntry[] = []
  let time = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const log = accessLog((entry) => entries.push(entry))
  const handler: Handler = (req, res) =>
    log(req, res, () => {
      time += 12.6
      setAccessLogFields(res, { route: '/api/validate/iban', surface: 'rest' })
      setAccessLogFields(res, { type: 'iban', code: 'sold' })
      res.writeHead(200).end()
    })
  await supertest(handler).post('/api/validate/iban?secret=1').send('secret')
  await expect
    .poll(() => entries)
    .toEqual([
      {
        requestId: '',
        method: 'POST',
        route: '/api/validate/iban',
        surface: 'rest',
        type: 'iban',
        code: 'sold',
        status: 200,
        ms: 13,
      },
    ])
})

test('names only usual methods', async () => {
  const methods: string[] = []
  const log = accessLog((entry) => methods.push(entry.method))
  const handler: Handler = (req, res) => log(req, res, () => res.end())
  await supertest(handler).propfind('/')
  await expect.poll(() => methods).toEqual(['other'])
})

test('an unexpected error is logged without its message', () => {
  const logged = unexpectedError(
    new RangeError('value 5260250274 is out of range\n    at line two of the message'),
  )
  expect(logged.name).toBe('RangeError')
  expect(logged.at.length).toBeGreaterThan(0)
  expect(JSON.stringify(logged)).not.toContain('5260250274')
  expect(JSON.stringify(logged)).not.toContain('line two')
  expect(unexpectedError('5260250274')).toEqual({ name: 'string', at: [] })
})
