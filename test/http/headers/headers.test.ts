import { expect, it } from 'vitest'
import { ALLOWED_HEADERS, crossOrigin, EXPOSED_HEADERS } from '../../../src/http/headers/cors.ts'
import { requestId, requestIdOf } from '../../../src/http/headers/request-id.ts'
import { pageHeaders, securityHeaders } from '../../../src/http/headers/security-headers.ts'
import { serve } from '../http-harness.ts'

it('an answer is not sniffed, and the browser keeps to https', async () => {
  const headers = securityHeaders({ https: true })
  const service = await serve((req, res) => headers(req, res, () => res.end()))
  const response = await fetch(service.url)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(response.headers.has('content-security-policy')).toBe(false)
  await service.close()
})

it('a page may be read but not framed or run', async () => {
  const headers = pageHeaders()
  const service = await serve((req, res) => headers(req, res, () => res.end()))
  const response = await fetch(service.url)
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  )
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  await service.close()
})

it('no browser is told to use https where the address is http', async () => {
  const headers = securityHeaders({ https: false })
  const service = await serve((req, res) => headers(req, res, () => res.end()))
  expect((await fetch(service.url)).headers.has('strict-transport-security')).toBe(false)
  await service.close()
})

it('a preflight is answered with what may be sent, any other answer says what may be read', async () => {
  const cors = crossOrigin()
  const service = await serve((req, res) => cors(req, res, () => res.end()))
  const preflight = await fetch(service.url, { method: 'OPTIONS' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe(ALLOWED_HEADERS.join(','))
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,OPTIONS')
  expect(preflight.headers.get('access-control-max-age')).toBe('86400')
  const response = await fetch(service.url)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(','))
  expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  await service.close()
})

it('each answer has an id of its own, which handlers can read', async () => {
  const identify = requestId()
  const seen: string[] = []
  const service = await serve((req, res) =>
    identify(req, res, () => {
      seen.push(requestIdOf(res))
      res.end()
    }),
  )
  const sent = { 'X-Request-Id': 'a'.repeat(20) }
  const first = await fetch(service.url, { headers: sent })
  const second = await fetch(service.url, { headers: sent })
  expect(seen).toEqual([first.headers.get('x-request-id'), second.headers.get('x-request-id')])
  expect(new Set([...seen, sent['X-Request-Id']]).size).toBe(3)
  await service.close()
})
