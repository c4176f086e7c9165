import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { beforeEach, expect, test, vi } from 'vitest'
import { observeFacilitator } from '../../../src/app/monitoring/observe-facilitator.ts'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'

const payer = `0x${'a'.repeat(40)}` as const
const payload = { payload: { authorization: { from: payer } } } as unknown as PaymentPayload
const requirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
} as unknown as PaymentRequirements
const transaction = `0x${'1'.repeat(64)}`
const reply = (change: object) =>
  ({ success: true, transaction, network: 'eip155:8453', payer, amount: '1000', ...change }) as SettleResponse

let clock = 0
beforeEach(() => {
  clock = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  return () => now.mockRestore()
})

const watched = (settle: () => Promise<SettleResponse>) => {
  const told: [string, number][] = []
  const slow = () => {
    clock += 7
    return settle()
  }
  const facilitator = observeFacilitator({ settle: slow } as unknown as FacilitatorClient, (outcome, ms) =>
    told.push([outcome, ms]),
  )
  return { told, settle: () => facilitator.settle(payload, requirements) }
}

test.each<[string, SettleResponse, string]>([
  ['settled', reply({}), 'settled'],
  ['paid by another account', reply({ payer: `0x${'b'.repeat(40)}` }), 'doubtful'],
  [
    'refused',
    reply({ success: false, transaction: '', errorReason: 'invalid_exact_evm_insufficient_balance' }),
    'refused',
  ],
  ['failed with a transaction', reply({ success: false, errorReason: 'transaction_failed' }), 'doubtful'],
])('a settlement that is %s is reported and passed on', async (_what, answer, outcome) => {
  const { told, settle } = watched(async () => answer)
  expect(await settle()).toBe(answer)
  expect(told).toEqual([[outcome, 7]])
})

test.each<[string, object, string]>([
  ['that is mined', { success: true }, 'settled'],
  ['that is refused unsent', { success: false, transaction: '' }, 'refused'],
  ['that failed with a transaction', { success: false }, 'doubtful'],
])('an act of a payment channel %s names no payer, and is counted', async (_what, change, outcome) => {
  const told: string[] = []
  const answer = reply(change)
  const facilitator = observeFacilitator(
    { settle: async () => answer } as unknown as FacilitatorClient,
    (kind) => void told.push(kind),
  )
  const claim = { payload: { type: 'claim', claims: [] } } as unknown as PaymentPayload
  expect(await facilitator.settle(claim, { ...requirements, scheme: 'batch-settlement' })).toBe(answer)
  expect(told).toEqual([outcome])
})

test.each([
  ['not sent', new FacilitatorFault('not_sent', 'refused'), [['not_sent', 7]]],
  ['without an answer', new Error('timed out'), [['doubtful', 7]]],
  // Of the node, and none of a facilitator.
  ['that no node takes', new ChainUnavailable('down'), []],
])('a settlement %s is reported and thrown on', async (_what, fault, reported) => {
  const { told, settle } = watched(async () => {
    throw fault
  })
  await expect(settle()).rejects.toBe(fault)
  expect(told).toEqual(reported)
})
