/** A service without channels: no surface and no document knows of them. */
import { randomBytes } from 'node:crypto'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ListService, startListService } from '../lists/list-service.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { DOORS } from './channel-service.ts'

let service: ListService
beforeAll(async () => {
  service = await startListService()
})
afterAll(() => service.stop())

const ORDER = { list: ['GB82WEST12345698765432', 'x'].map((value) => ({ type: 'iban', value })) }

describe.each(DOORS)('over %s', (name) => {
  it('offers the single payment alone, and refuses a voucher as another scheme', async () => {
    const door = service.doors[name]
    const { accepts } = await door.ask(ORDER)
    expect(accepts.map(({ scheme }) => scheme)).toEqual(['exact'])
    const [terms] = accepts
    if (terms === undefined) throw new Error('no terms')
    const extra = { ...terms.extra, receiverAuthorizer: freshAccount().address, withdrawDelay: 86_400 }
    const accepted = { ...terms, scheme: 'batch-settlement', extra }
    const scheme = new BatchSettlementEvmScheme(freshAccount(), { salt: toHex(randomBytes(32)) })
    const { payload } = await scheme.createPaymentPayload(2, accepted)
    const answer = await door.buy(ORDER, { x402Version: 2, accepted, payload })
    expect(answer).toMatchObject({ outcome: 'payment_terms_mismatch', results: [], charged: 'false' })
    expect(service.bench.facilitator.settled).toEqual([])
  })
})

it.each([
  '/openapi.json',
  '/llms.txt',
  '/api/types',
  '/.well-known/x402',
  '/.well-known/agent-card.json',
])('%s does not mention them', async (path) => {
  const response = await fetch(service.url + path)
  expect(response.status).toBe(200)
  expect(await response.text()).not.toMatch(/batch-settlement|api\/channel/)
})

it.each([
  '',
  '/validate/iban',
  '/validate/batch',
  '/validate/none',
])('has no address /api/channel%s', async (path) => {
  for (const method of ['GET', 'POST'])
    expect(await (await fetch(`${service.url}/api/channel${path}`, { method })).json()).toMatchObject({
      ...{ status: 404, code: 'not_found' },
    })
})
