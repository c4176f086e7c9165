import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearedUp, observeLedger, type StoreCall } from '../../../src/app/monitoring/observe-ledger.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'

const row = { nonce: '0x1', state: 'in_doubt' } as PaymentRow

let clock = 0
beforeEach(() => {
  clock = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 5))
  return () => now.mockRestore()
})

function watched(methods: Partial<Ledger>) {
  const calls: StoreCall[] = []
  const moves: [PaymentRow, PaymentChange][] = []
  const ledger = observeLedger(methods as Ledger, {
    onCall: (call) => calls.push(call),
    onMove: (...move) => moves.push(move),
  })
  return { ledger, calls, moves }
}

describe('a watched ledger', () => {
  test('answers what the ledger answers, and tells how long it took', async () => {
    const { ledger, calls } = watched({ find: async () => row, noteSent: async () => [row] })
    expect(await ledger.find(row)).toBe(row)
    expect(await ledger.noteSent([row], '0x2')).toEqual([row])
    expect(calls).toEqual([
      { kind: 'read', ms: 5, failed: false },
      { kind: 'write', ms: 5, failed: false },
    ])
  })

  test('throws what the ledger throws, and counts it', async () => {
    const { ledger, calls } = watched({
      addCounts: async () => {
        throw new StoreUnavailable('away')
      },
    })
    await expect(ledger.addCounts([])).rejects.toThrow(StoreUnavailable)
    expect(calls).toEqual([{ kind: 'write', ms: 5, failed: true }])
  })

  test('keeps methods that speak of their own object whole', async () => {
    class Adapter {
      #word = 'kept'
      async ensureFact() {
        return this.#word
      }
    }
    const { ledger } = watched(new Adapter() as unknown as Ledger)
    expect(await ledger.ensureFact('a', 'b')).toBe('kept')
  })

  test('tells of the moves that were made, and of no others', async () => {
    const answers = [row, null]
    const { ledger, moves } = watched({ move: async () => answers.shift() ?? null })
    await ledger.move(row, { state: 'void' })
    await ledger.move(row, { state: 'settled' })
    expect(moves).toEqual([[row, { state: 'void' }]])
  })
})

describe('what a move has cleared up', () => {
  const settled = { state: 'settled', transaction: '0x1', logIndex: 3 } as const
  test.each<[string, PaymentRow['state'], PaymentChange, boolean, ReturnType<typeof clearedUp>]>([
    ['a doubtful row found on the chain', 'in_doubt', settled, false, 'settled'],
    ['a refusal that was wrong', 'refused', settled, true, 'settled'],
    ['an unclear reply, read from the chain at once', 'settling', settled, false, 'settled'],
    ['the log each sale waits for', 'settling', settled, true, null],
    [
      'a sale on the word of the facilitator',
      'settling',
      { state: 'settled', transaction: '0x1' },
      false,
      null,
    ],
    ['an audit', 'settled', { audit: 'found', logIndex: 3 }, false, null],
    ['a row that can no longer be paid', 'in_doubt', { state: 'void' }, false, 'void'],
  ])('%s', (_what, state, change, proofOnChain, expected) => {
    expect(clearedUp({ ...row, state }, change, proofOnChain)).toBe(expected)
  })
})
