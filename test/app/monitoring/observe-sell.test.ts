import { beforeEach, expect, test, vi } from 'vitest'
import { observeSell, type PaidOutcome } from '../../../src/app/monitoring/observe-sell.ts'
import type { Call, RawPayment, Sale } from '../../../src/payments/ports/sale.ts'

const CALL = { kind: 'sealed', surface: 'a2a', client: 'c', taskId: 't' } as Call
const PAID: RawPayment = { kind: 'text', text: 'x' }

let clock = 0
beforeEach(() => {
  clock = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  return () => now.mockRestore()
})

function observed(sell: () => Promise<Sale>) {
  const seen: (string | [PaidOutcome, number])[] = []
  const observer = {
    begun: () => void seen.push('begun'),
    ended: (outcome: PaidOutcome, ms: number) => void seen.push([outcome, ms]),
  }
  const observe = observeSell(() => {
    clock += 40
    return sell()
  }, observer)
  return { seen, call: (rawPayment: RawPayment) => observe(CALL, rawPayment) }
}

test.each([
  [{ kind: 'sold', replayed: false }, 'sold'],
  [{ kind: 'sold', replayed: true }, 'replayed'],
  [{ kind: 'unpaid', code: 'payment_expired' }, 'refused'],
  [{ kind: 'declined', code: 'payment_in_doubt' }, 'in_doubt'],
  [{ kind: 'declined', code: 'facilitator_unavailable' }, 'unavailable'],
  [{ kind: 'declined', code: 'chain_unavailable' }, 'unavailable'],
  [{ kind: 'declined', code: 'store_unavailable' }, 'unavailable'],
  [{ kind: 'declined', code: 'shutting_down' }, 'unavailable'],
  [{ kind: 'declined', code: 'too_many_requests' }, 'declined'],
])('%j is the outcome %s', async (sale, outcome) => {
  const { seen, call } = observed(async () => sale as unknown as Sale)
  expect(await call(PAID)).toBe(sale)
  expect(seen).toEqual(['begun', [outcome, 40]])
})

test('a defect is an outcome, and stays a defect', async () => {
  const { seen, call } = observed(() => Promise.reject(new Error('broken')))
  await expect(call(PAID)).rejects.toThrow('broken')
  expect(seen).toEqual(['begun', ['error', 40]])
})

test('a quote is not a paid call', async () => {
  const { seen, call } = observed(async () => ({ kind: 'unpaid', code: 'payment_required' }) as Sale)
  await call({ kind: 'none' })
  expect(seen).toEqual([])
})
