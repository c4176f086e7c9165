import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { rawRequest } from '../rest/raw-request.ts'
import { DOCUMENTS, textOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const get = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

const TYPES: Readonly<Record<string, string>> = {
  '/llms.txt': 'text/markdown; charset=utf-8',
  '/openapi.json': 'application/json; charset=utf-8',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/did.json': 'application/did+json',
  '/.well-known/jwks.json': 'application/jwk-set+json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
}

describe.each(DOCUMENTS)('%s', (path) => {
  it('is served whole, for every origin, with a strong entity tag', async () => {
    const response = await get(path, { headers: { 'Accept-Encoding': 'identity' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{20,}"$/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-sandbox')).toBe('true')
    expect(response.headers.get('set-cookie')).toBeNull()
    const type = response.headers.get('content-type')
    expect(type).toBe(TYPES[path] ?? type)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
    expect(bytes.length).toBeGreaterThan(50)
  })

  it('says when it was last changed, and answers 304 to a client that has it since then', async () => {
    const modified = (await get(path)).headers.get('last-modified') ?? ''
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.now())
    const since = (time: string, more = {}) => get(path, { headers: { 'If-Modified-Since': time, ...more } })
    expect((await since(modified)).status).toBe(304)
    expect((await since(new Date(0).toUTCString())).status).toBe(200)
    expect((await since('yesterday')).status).toBe(200)
    // An entity tag is the stronger condition.
    expect((await since(modified, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  it('answers HEAD with the headers alone, and 304 to a client that has it', async () => {
    const whole = await get(path)
    const head = await get(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    for (const name of ['etag', 'content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    expect(await head.text()).toBe('')
    const known = await get(path, { headers: { 'If-None-Match': whole.headers.get('etag') ?? '' } })
    expect(known.status).toBe(304)
    expect(await known.text()).toBe('')
  })

  it('refuses other methods, and another spelling of its path', async () => {
    const refused = await get(path, { method: 'POST', body: '{}' })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    for (const spelling of [`${path}//`, `/${path}`, path.toUpperCase(), path.replace(/^\/./, '/%2e')])
      expect((await get(spelling)).status, spelling).toBe(404)
  })

  it('is made from the public address and from nothing a client says', async () => {
    const lines = ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']
    const request = `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`
    const { status, body, text } = await rawRequest(service.port, request)
    expect(status).toBe(200)
    expect(text).not.toContain('evil.example')
    expect(body).toBe(await textOf(service, path))
  })
})

describe('documents', () => {
  it('say that the money is not real where it is not', async () => {
    const paths = ['/', '/llms.txt', '/llms-full.txt', '/openapi.json', '/api/types', '/.well-known/x402']
    for (const path of [...paths, '/.well-known/mcp.json'])
      expect(await textOf(service, path), path).toContain('SANDBOX')
  })

  it('answer while the facilitator does not', async () => {
    const down = await startTestService()
    try {
      await down.sandbox.stop()
      for (const path of DOCUMENTS) expect((await fetch(`${down.url}${path}`)).status, path).toBe(200)
      const unpaid = await down.check('iban', 'DE89370400440532013000')
      expect(unpaid.status).toBe(402)
      expect(unpaid.headers.get('PAYMENT-REQUIRED')).not.toBeNull()
    } finally {
      await down.stop().catch(() => {})
    }
  })
})
