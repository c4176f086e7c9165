import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type AdminGuardOptions, adminGuard } from '../../../src/surfaces/admin/admin-guard.ts'
import { serve } from '../../http/http-harness.ts'

let service: Awaited<ReturnType<typeof serve>> | undefined
afterEach(() => service?.close())

const TOKEN = 'a-token-of-some-length'

async function ask(options: AdminGuardOptions, headers: Record<string, string>) {
  const guard = adminGuard(options)
  service = await serve((req, res) => guard(req, res, () => res.writeHead(200).end()))
  const { port } = service
  return new Promise<{ status: number; challenge: string | undefined }>((resolve, reject) => {
    const asked = request(
      { port, host: '127.0.0.1', headers, setHost: headers.host === undefined },
      (res) => {
        res.resume()
        resolve({ status: res.statusCode ?? 0, challenge: res.headers['www-authenticate'] })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

describe('on loopback without a token', () => {
  test.each(['127.0.0.1:9464', 'localhost', '[::1]:80'])('lets the Host %s in', async (host) => {
    expect((await ask({ token: null, loopback: true }, { host })).status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    '127.0.0.1@evil.example',
    '10.0.0.1',
    'a b',
  ])('refuses the foreign Host %s', async (host) => {
    expect((await ask({ token: null, loopback: true }, { host })).status).toBe(403)
  })
})

describe('with a token', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

  test.each([
    ['as a bearer', `Bearer ${TOKEN}`],
    ['whatever the case of the scheme', `bEARER ${TOKEN}`],
    ['as the password of anybody', basic(`operator:${TOKEN}`)],
    ['as a password without a user', basic(`:${TOKEN}`)],
  ])('lets in who has it %s, under any Host', async (_what, authorization) => {
    const headers = { authorization, host: 'admin.example' }
    expect((await ask({ token: TOKEN, loopback: false }, headers)).status).toBe(200)
  })

  test.each([
    ['nothing', undefined],
    ['another', 'Bearer another-token-of-some-length'],
    ['a piece of it', `Bearer ${TOKEN.slice(0, -1)}`],
    ['none after the scheme', 'Bearer '],
    ['it under another scheme', `Token ${TOKEN}`],
    ['it as the user', basic(`${TOKEN}:`)],
  ])('refuses who has %s', async (_what, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const { status, challenge } = await ask({ token: TOKEN, loopback: false }, headers)
    expect(status).toBe(401)
    expect(challenge).toMatch(/^Bearer .*Basic /)
  })

  test('needs it on loopback too, and the Host', async () => {
    expect((await ask({ token: TOKEN, loopback: true }, {})).status).toBe(401)
    await service?.close()
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'evil.example' }
    expect((await ask({ token: TOKEN, loopback: true }, headers)).status).toBe(403)
  })
})

test('a port that others can reach is never open without a token', () => {
  expect(() => adminGuard({ token: null, loopback: false })).toThrow('token')
})
