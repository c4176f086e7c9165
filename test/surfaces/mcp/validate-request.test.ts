import { describe, expect, test } from 'vitest'
import { startForTest } from './mcp-service.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('on loopback', () => {
  test.each(['localhost:9', '127.0.0.1', '[::1]:80', 'LOCALHOST'])('host %s is ours', async (host) => {
    const mcp = await startForTest()
    expect((await mcp.post(PING, { host })).status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
  ])('host %s is not', async (host) => {
    const mcp = await startForTest()
    const { status, json, text } = await mcp.post(PING, { host })
    expect(status).toBe(403)
    expect(json.error.data.code).toBe('host_not_allowed')
    expect(text).not.toContain('evil')
  })

  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:6274',
    'https://localhost',
  ])('a page of %s may call', async (origin) => {
    const mcp = await startForTest()
    expect((await mcp.post(PING, { origin })).status).toBe(200)
  })

  test.each(['https://evil.example', 'null', 'garbage'])('a page of %s may not', async (origin) => {
    const mcp = await startForTest()
    const { status, json } = await mcp.post(PING, { origin })
    expect(status).toBe(403)
    expect(json.id).toBeNull()
  })
})

describe('on a public host', () => {
  const options = { loopback: false, allowedHosts: ['fc.example'] }

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:3000',
  ])('a page of %s may call', async (origin) => {
    const mcp = await startForTest(options)
    expect((await mcp.post(PING, { host: 'fc.example', origin })).status).toBe(200)
  })

  test('another host is refused', async () => {
    const mcp = await startForTest(options)
    expect((await mcp.post(PING, { host: 'localhost' })).status).toBe(403)
  })
})

/** A proxy on the same machine brings the public name to a process that listens on loopback. */
describe('on loopback behind a public name', () => {
  const options = { loopback: true, allowedHosts: ['fc.example', 'localhost', '127.0.0.1', '[::1]'] }

  test('any page may call the public name', async () => {
    const mcp = await startForTest(options)
    expect((await mcp.post(PING, { host: 'fc.example', origin: 'https://page.example' })).status).toBe(200)
  })

  test.each(['localhost:9', '127.0.0.1', '[::1]:80'])('a foreign page may not call %s', async (host) => {
    const mcp = await startForTest(options)
    expect((await mcp.post(PING, { host, origin: 'https://page.example' })).status).toBe(403)
    expect((await mcp.post(PING, { host, origin: 'http://localhost:3000' })).status).toBe(200)
  })
})
