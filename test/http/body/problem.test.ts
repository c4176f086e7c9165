import { expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { accessLogFields } from '../../../src/http/access-log-fields.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { serve } from '../http-harness.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

it('every code of the catalogue has a body of its own, with its status and a page that explains it', async () => {
  const send = problemSender('https://checks.example')
  const service = await serve((req, res) => send(res, req.url?.slice(1) as ErrorCode))
  for (const code of CODES) {
    const response = await fetch(`${service.url}/${code}`)
    expect(response.status).toBe(ERRORS[code].status)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      type: `https://checks.example/errors#${code}`,
      title: ERRORS[code].title,
      status: ERRORS[code].status,
      detail: ERRORS[code].detail,
      code,
    })
  }
  await service.close()
})

it('adds members after the five and headers, notes the code, and leaves the body out for HEAD', async () => {
  const send = problemSender('https://checks.example')
  const noted: unknown[] = []
  const service = await serve((_req, res) => {
    send(res, 'not_found', { members: { near: 'here' }, headers: { 'X-More': 'yes' } })
    noted.push(accessLogFields(res).code)
  })
  const response = await fetch(service.url)
  const body = await response.text()
  expect(response.headers.get('x-more')).toBe('yes')
  expect(Object.keys(JSON.parse(body))).toEqual(['type', 'title', 'status', 'detail', 'code', 'near'])
  const head = await fetch(service.url, { method: 'HEAD' })
  expect(head.status).toBe(404)
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(await head.text()).toBe('')
  expect(noted).toEqual(['not_found', 'not_found'])
  await service.close()
})
