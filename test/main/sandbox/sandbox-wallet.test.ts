import { type Hex, recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRANSFER_TYPES, tokenDomain } from '../../support/memory-chain/token-typed-data.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { rawRequest } from '../../surfaces/rest/raw-request.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const typedData = () => ({
  primaryType: 'TransferWithAuthorization' as const,
  domain: tokenDomain(service.sandbox.token),
  types: TRANSFER_TYPES,
  message: {
    from: service.buyer.address,
    to: service.sandbox.payTo,
    value: '1000' as unknown as bigint,
    validAfter: '0' as unknown as bigint,
    validBefore: '1800000000' as unknown as bigint,
    nonce: `0x${'5a'.repeat(32)}` as const,
  },
})

interface WalletReply {
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

const ask = async (method: string, params: unknown[] = [], headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/sandbox/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url, ...headers },
    body: JSON.stringify({ method, params }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as WalletReply }
}
const sign = async (data: unknown) =>
  (await ask('eth_signTypedData_v4', [service.buyer.address, JSON.stringify(data)])).body

describe('the wallet of the sandbox', () => {
  test('is on Base, with the funded account', async () => {
    expect((await ask('eth_requestAccounts')).body).toEqual({ result: [service.buyer.address] })
    expect((await ask('eth_chainId')).body).toEqual({ result: '0x2105' })
    expect((await ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])).body).toEqual({ result: null })
    expect((await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).body.error?.code).toBe(4902)
    for (const method of ['eth_sendTransaction', 'personal_sign', 'eth_sign', 'wallet_addEthereumChain']) {
      expect((await ask(method, [])).body.error?.code).toBe(4200)
    }
  })

  test('signs the typed data of a page', async () => {
    const data = typedData()
    const { result } = await sign(data)
    expect(await recoverTypedDataAddress({ ...data, signature: result as Hex })).toBe(service.buyer.address)
  })

  test.each([
    [[]],
    [[1]],
    [[null, null]],
    [['0x', 'no json']],
    [['0x', 'null']],
    [['0x', '{"primaryType":"Permit"}']],
  ])('does not sign %j', async (params) => {
    expect((await ask('eth_signTypedData_v4', params)).body.error?.code).toBe(-32602)
  })
})

describe('no other caller reaches it:', () => {
  const post = (headers: readonly string[], body = '{"method":"eth_accounts"}') =>
    rawRequest(
      service.port,
      [
        'POST /sandbox/wallet HTTP/1.1',
        'Connection: close',
        `Content-Length: ${body.length}`,
        ...headers,
        '',
        body,
      ].join('\r\n'),
    )
  const own = () => `127.0.0.1:${service.port}`
  const json = 'Content-Type: application/json'

  test('its own page does', async () => {
    const good = [`Host: ${own()}`, `Origin: http://${own()}`, 'Sec-Fetch-Site: same-origin', json]
    expect((await post(good)).status).toBe(200)
    expect((await post(good, 'no json')).body).toContain('-32600')
    expect((await post(good, '[]')).body).toContain('-32600')
    expect((await post(good)).headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each<[string, () => string[]]>([
    ['a page of another origin', () => [`Host: ${own()}`, 'Origin: https://evil.example', json]],
    ['a page of another port', () => [`Host: ${own()}`, 'Origin: http://127.0.0.1:1', json]],
    ['a page without an origin', () => [`Host: ${own()}`, 'Origin: null', json]],
    ['a program that names no origin', () => [`Host: ${own()}`, json]],
    ['a name that was pointed here', () => ['Host: evil.example', 'Origin: http://evil.example', json]],
    [
      'a request the browser made for another site',
      () => [`Host: ${own()}`, `Origin: http://${own()}`, 'Sec-Fetch-Site: cross-site', json],
    ],
    ['a form', () => [`Host: ${own()}`, `Origin: http://${own()}`, 'Content-Type: text/plain']],
  ])('not %s', async (_what, headers) => {
    const { status, body } = await post(headers())
    expect(status).toBe(404)
    expect(JSON.parse(body).code).toBe('not_found')
  })

  test('nor another method', async () => {
    expect((await fetch(`${service.url}/sandbox/wallet`, { headers: { Origin: service.url } })).status).toBe(
      404,
    )
  })
})
