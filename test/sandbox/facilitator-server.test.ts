import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FacilitatorClient } from '@x402/core/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import { startFacilitatorServer } from '../../src/sandbox/facilitator-server.ts'
import type { LocalServer } from '../../src/sandbox/loopback-guard.ts'
import { startLoopbackGuard } from '../../src/sandbox/loopback-guard.ts'
import { freshAccount, termsFor } from '../support/chain-payments.ts'

describe('the facilitator over HTTP', () => {
  const terms = termsFor(freshAccount().address)
  const payload = { x402Version: 2, accepted: terms, payload: {} }
  const network = 'eip155:8453'
  let server: LocalServer
  let facilitator: FacilitatorClient

  beforeAll(async () => {
    const current = () => facilitator
    server = await startFacilitatorServer({
      verify: (...args) => current().verify(...args),
      settle: (...args) => current().settle(...args),
      getSupported: () => current().getSupported(),
    })
    facilitator = {
      verify: async () => ({ isValid: false, invalidReason: 'some_reason' }),
      settle: async () => ({ success: true, transaction: '0x01', network }),
      getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
    }
  })
  afterAll(() => server.stop())

  const ask = async (method: string, path: string, body?: string) => {
    const init =
      body === undefined ? { method } : { method, body, headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${server.url}${path}`, init)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return [response.status, await response.json()]
  }
  const request = JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: terms })

  test('passes each request on and returns the answer', async () => {
    expect(await ask('POST', '/verify', request)).toEqual([
      200,
      { isValid: false, invalidReason: 'some_reason' },
    ])
    expect(await ask('POST', '/settle', request)).toEqual([
      200,
      { success: true, transaction: '0x01', network },
    ])
    expect(await ask('GET', '/supported')).toEqual([200, { kinds: [], extensions: [], signers: {} }])
  })

  test.each([
    '',
    'nonsense',
    '[]',
    'null',
    '{}',
    '{"paymentPayload":{},"paymentRequirements":{}}',
  ])('refuses the body %j', async (body) => {
    expect(await ask('POST', '/settle', body)).toEqual([400, { error: 'invalid_request' }])
  })

  test('knows three paths, each by one method', async () => {
    for (const [method, path] of [
      ['GET', '/verify'],
      ['POST', '/supported'],
      ['GET', '/'],
    ] as const) {
      expect(await ask(method, path)).toEqual([404, { error: 'not_found' }])
    }
  })

  test('an unreachable chain is 503, and nothing of the error gets out', async () => {
    const down = () => Promise.reject(new ChainUnavailable('secret detail'))
    facilitator = { verify: down, settle: down, getSupported: down }
    expect(await ask('POST', '/settle', request)).toEqual([503, { error: 'chain_unavailable' }])
    expect(await ask('POST', '/verify', request)).toEqual([503, { error: 'chain_unavailable' }])
    const broken = () => Promise.reject(new TypeError('secret detail'))
    facilitator = { verify: broken, settle: broken, getSupported: broken }
    expect(await ask('POST', '/settle', request)).toEqual([500, { error: 'internal_error' }])
  })
})

describe('requests a page of another origin makes', () => {
  const offered = { kinds: [], extensions: [], signers: {} }
  const unasked = () => Promise.reject(new Error('a foreign request came through'))
  const send = (url: string, headers: Readonly<Record<string, string>>) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(url, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end()
    })
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { host: 'evil.example' },
    { host: 'evil.example:80' },
    { host: '127.0.0.1.evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]

  test('are refused by the facilitator, also by DNS rebinding; those of this machine are not', async () => {
    const server = await startFacilitatorServer({
      verify: unasked,
      settle: unasked,
      getSupported: async () => offered,
    })
    for (const headers of foreign) expect(await send(`${server.url}/supported`, headers)).toBe(403)
    expect(await send(`${server.url}/supported`, {})).toBe(200)
    expect(await send(`${server.url}/supported`, { origin: 'http://localhost:3000' })).toBe(200)
    await server.stop()
  })

  test('do not reach the node either', async () => {
    let reached = 0
    const node = createServer((_incoming, response) => {
      reached += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(node, 'listening')
    const guard = await startLoopbackGuard(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
    for (const headers of foreign) expect(await send(guard.url, headers)).toBe(403)
    expect(reached).toBe(0)
    expect(await send(guard.url, {})).toBe(200)
    expect(reached).toBe(1)
    await guard.stop()
    node.close()
    node.closeAllConnections()
  })
})
