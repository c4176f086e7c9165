import type { FacilitatorClient } from '@x402/core/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import { type LocalServer, startFacilitatorServer } from '../../src/sandbox/facilitator-server.ts'
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

  test.each(['', 'nonsense', '[]', 'null', '{}'])('refuses the body %j', async (body) => {
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
