import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { accessLogFields } from '../../../src/http/access-log-fields.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { type StaticDocument, staticDocument } from '../../../src/http/body/static-document.ts'
import type { Handler } from '../../../src/http/middleware.ts'

const MODIFIED = 'Sat, 03 Jan 2026 00:00:00 GMT'
const DOCUMENT: StaticDocument = {
  route: '/page',
  body: '<p>ö</p>',
  contentType: 'text/html; charset=utf-8',
  modifiedAt: Date.parse(MODIFIED),
}

function clientOf(document: StaticDocument) {
  const handler = staticDocument(problemSender('https://checks.example'), document)
  const routes: unknown[] = []
  const recording: Handler = (req, res) => {
    handler(req, res)
    routes.push(accessLogFields(res).route)
  }
  return { client: supertest(recording), routes }
}

describe('a document', () => {
  const { client, routes } = clientOf(DOCUMENT)

  it('is answered whole, with what caches need', async () => {
    const { headers, text } = await client.get('/page?x=1').expect(200)
    expect(text).toBe('<p>ö</p>')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '9',
      'last-modified': MODIFIED,
      'cache-control': 'public, max-age=3600',
    })
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/)
    expect(headers).not.toHaveProperty('link')
    const head = await client.head('/page').expect(200)
    expect([head.text, head.headers['content-length'], head.headers.etag]).toEqual([
      undefined,
      '9',
      headers.etag,
    ])
    expect(routes.at(-1)).toBe('/page')
  })

  it('may be kept as long as it says, and links to another', async () => {
    const link = '</b>; rel="next"'
    const { headers } = await clientOf({ ...DOCUMENT, maxAge: 60, link }).client.get('/')
    expect([headers['cache-control'], headers.link]).toEqual(['public, max-age=60', link])
  })

  it('without a time of its own is as old as its handler', async () => {
    const from = Math.floor(Date.now() / 1000) * 1000
    const { modifiedAt: _, ...undated } = DOCUMENT
    const { headers } = await clientOf(undated).client.get('/')
    expect(Date.parse(headers['last-modified'] ?? '')).toBeGreaterThanOrEqual(from)
  })

  it('that the client has is not sent again', async () => {
    const { etag = '' } = (await client.get('/')).headers
    const statusOf = async (headers: Record<string, string>) => (await client.get('/').set(headers)).status
    for (const tag of [etag, `W/${etag}`, '*', `"x" , ${etag}`, `${etag},"x"`])
      expect([tag, await statusOf({ 'If-None-Match': tag })]).toEqual([tag, 304])
    for (const tag of ['"x"', etag.slice(1), `"x, ${etag.slice(1)}`, ''])
      expect([tag, await statusOf({ 'If-None-Match': tag })]).toEqual([tag, 200])
    expect(await statusOf({ 'If-Modified-Since': MODIFIED })).toBe(304)
    expect(await statusOf({ 'If-Modified-Since': 'Sat, 03 Jan 2026 00:00:01 GMT' })).toBe(304)
    expect(await statusOf({ 'If-Modified-Since': 'Fri, 02 Jan 2026 23:59:59 GMT' })).toBe(200)
    expect(await statusOf({ 'If-Modified-Since': 'soon' })).toBe(200)
    // The tag alone decides if both are given.
    expect(await statusOf({ 'If-None-Match': '"x"', 'If-Modified-Since': MODIFIED })).toBe(200)
    const { headers, text } = await client.get('/').set('If-None-Match', etag)
    expect([text, headers.etag, headers['last-modified'], headers['cache-control']]).toEqual([
      '',
      etag,
      MODIFIED,
      'public, max-age=3600',
    ])
    expect(headers).not.toHaveProperty('content-type')
  })

  it('is only read', async () => {
    const { body } = await client.post('/page').expect(405).expect('Allow', 'GET, HEAD, OPTIONS')
    expect(body.code).toBe('method_not_allowed')
    expect(routes.at(-1)).toBe('/page')
  })
})
