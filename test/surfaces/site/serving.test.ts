import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Site, startSite } from './site-service.ts'

let site: Site
beforeAll(async () => {
  site = await startSite(true)
})
afterAll(() => site.stop())

async function assetPaths(): Promise<readonly string[]> {
  const pages = await Promise.all(site.paths.map(site.text))
  return [...new Set(pages.join('').match(/\/assets\/[0-9a-f]{16}\/[^"]+/g))]
}

describe('a page', () => {
  it('has a strong entity tag, and is not sent again to who holds it', async () => {
    for (const path of [...site.paths.filter((each) => each !== '/status'), ...(await assetPaths())]) {
      const whole = await site.ask(path)
      expect(whole.status).toBe(200)
      expect(whole.headers.etag).toMatch(/^"[\w-]+"$/)
      const again = await site.ask(path, { 'If-None-Match': whole.headers.etag ?? '' })
      expect(again.status).toBe(304)
      expect(again.body).toHaveLength(0)
      const head = await site.ask(path, {}, 'HEAD')
      expect(head.headers['content-length']).toBe(String(whole.body.length))
      expect(head.body).toHaveLength(0)
      expect((await site.ask(path, {}, 'POST')).status).toBe(405)
    }
  })

  it('may load files of this origin and nothing else', async () => {
    for (const path of site.paths) {
      const policy = String((await site.ask(path)).headers['content-security-policy'])
      const sources = policy.split('; ').filter((each) => /^\w+-src /.test(each))
      expect(sources).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
      ])
      expect(policy).toContain("form-action 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
    }
  })

  it('comes gzipped to who takes that, under a tag of its own', async () => {
    const plain = await site.ask('/')
    for (const accept of ['gzip', 'br;q=0.2, GZIP;q=0.5', 'deflate,gzip ; q=1']) {
      const zipped = await site.ask('/', { 'Accept-Encoding': accept })
      expect(zipped.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(zipped.body)).toEqual(plain.body)
      expect(zipped.headers.etag).not.toBe(plain.headers.etag)
      expect(zipped.headers.vary).toContain('Accept-Encoding')
    }
    for (const accept of ['gzip, br', 'br', 'gzip;q=0.5, br;q=0.6']) {
      const brotli = await site.ask('/', { 'Accept-Encoding': accept })
      expect(brotli.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
      expect(brotli.headers.etag).not.toBe(plain.headers.etag)
    }
    for (const accept of ['identity', 'br;q=0', 'gzip;q=x', 'gzip;q=0', 'gzip;q=0.000', 'x-gzip']) {
      expect((await site.ask('/', { 'Accept-Encoding': accept })).headers['content-encoding']).toBeUndefined()
    }
    const refused = await site.ask('/', { 'Accept-Encoding': 'gzip' }, 'POST')
    expect(refused.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(refused.body.toString()).code).toBe('method_not_allowed')
  })

  it('is found at no other spelling of its address', async () => {
    for (const path of ['/Checks/iban', '/checks/%69ban', '/docs/clients//', '/Docs', '/docs/clients.html']) {
      expect((await site.ask(path)).status).toBe(404)
    }
  })
})

describe('the front page', () => {
  it.each([
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown; charset=utf-8'],
    ['TEXT/MARKDOWN;q=0.5', 'text/markdown; charset=utf-8'],
    ['text/html, text/markdown;q=0.5', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['text/*', 'text/html; charset=utf-8'],
    ['', 'text/html; charset=utf-8'],
  ])('asked with Accept: %s answers %s', async (accept, type) => {
    const { headers } = await site.ask('/', { Accept: accept })
    expect(headers['content-type']).toBe(type)
    expect(headers.vary).toMatch(/^Accept\b/)
    expect(headers.link).toBe('</openapi.json>; rel="service-desc"')
  })
})

describe('the assets', () => {
  it('lie under their content, so they may be kept', async () => {
    const paths = await assetPaths()
    expect(paths.length).toBeGreaterThan(3)
    const roots = new Set(paths.map((path) => path.split('/').slice(0, -1).join('/')))
    expect(roots.size).toBe(1)
    for (const path of paths) {
      expect((await site.ask(path)).headers['cache-control']).toBe('public, max-age=31536000')
    }
  })

  it('import nothing that is not served beside them', async () => {
    const seen = new Set<string>()
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const { status, body, headers } = await site.ask(path)
      expect(status, path).toBe(200)
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
      const text = body.toString()
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage|cookie/,
      )
      for (const [, name = ''] of text.matchAll(/from '([^']+)'/g)) {
        await follow(new URL(name, `http://x${path}`).pathname)
      }
    }
    for (const path of await assetPaths()) if (path.endsWith('.js')) await follow(path)
    expect(seen.size).toBeGreaterThan(5)
  })

  it('hold the wallet of the sandbox in the sandbox alone', async () => {
    const live = await startSite(false)
    const [root = ''] = (await live.text('/')).match(/\/assets\/[0-9a-f]+\//) ?? []
    expect((await live.ask(`${root}panel.js`)).status).toBe(200)
    expect((await live.ask(`${root}sandbox-wallet.js`)).status).toBe(404)
    await live.stop()
  })
})

it('the front page weighs under 35 kB on the wire with all that it loads', async () => {
  const page = await site.text('/')
  const seen = new Set<string>()
  const weigh = async (path: string): Promise<number> => {
    if (seen.has(path)) return 0
    seen.add(path)
    const sent = await site.ask(path, { 'Accept-Encoding': 'gzip' })
    const text = gunzipSync(sent.body).toString()
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(
      ([, name = '']) => new URL(name, `http://x${path}`).pathname,
    )
    const rest = await Promise.all((path.endsWith('.js') ? imports : []).map(weigh))
    return rest.reduce((sum, size) => sum + size, sent.body.length)
  }
  const paths = ['/', ...(page.match(/\/assets\/[0-9a-f]{16}\/[^"]+/g) ?? [])]
  const sizes = await Promise.all(paths.map(weigh))
  expect(seen.size).toBeGreaterThan(15)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(35_000)
})
