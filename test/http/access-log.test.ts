import { expect, it } from 'vitest'
import { type AccessEntry, accessLog } from '../../src/http/access-log.ts'
import { setAccessLogFields } from '../../src/http/access-log-fields.ts'
import { unexpectedError } from '../../src/http/unexpected-error.ts'
import { serve } from './http-harness.ts'

it('writes what the handler noted, the method, the status and the time, once per answer', async () => {
  const entries: AccessEntry[] = []
  let time = 1000
  const log = accessLog({ info: (entry) => entries.push(entry) }, () => time)
  const service = await serve((req, res) =>
    log(req, res, () => {
      time += 12.6
      setAccessLogFields(res, { route: '/api/validate/iban', surface: 'rest' })
      setAccessLogFields(res, { type: 'iban', code: 'sold' })
      res.writeHead(200).end()
    }),
  )
  await fetch(`${service.url}/api/validate/iban?secret=1`, { method: 'POST', body: 'secret' })
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
  await service.close()
})

it('names a method only where it is a usual one', async () => {
  const methods: string[] = []
  const log = accessLog({ info: (entry) => methods.push(entry.method) })
  const service = await serve((req, res) => log(req, res, () => res.end()))
  await fetch(service.url, { method: 'PROPFIND' })
  await expect.poll(() => methods).toEqual(['other'])
  await service.close()
})

it('a defect is described without its message', () => {
  const defect = unexpectedError(
    new RangeError('value 5260250274 is out of range\n    at line two of the message'),
  )
  expect(defect.name).toBe('RangeError')
  expect(defect.at.length).toBeGreaterThan(0)
  expect(JSON.stringify(defect)).not.toContain('5260250274')
  expect(JSON.stringify(defect)).not.toContain('line two')
  expect(unexpectedError('5260250274')).toEqual({ name: 'string', at: [] })
})
