/** Which rows a restore writes and changes, over a scripted chain and a scripted store. */

import { describe, expect, test } from 'vitest'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { ChainUnavailable, type IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
import { restorePayments } from '../../../src/payments/recovery/restore-lost-sales.ts'
import { runRecovery } from '../../../src/payments/recovery/run-recovery.ts'
import { newPayment } from '../../support/payment-rows.ts'

const FREE = { owner: null, leaseUntil: 0 }
const NOW = 50_000
const PAYEE = { network: 'eip155:8453', asset: '0xAB', payTo: '0xCD' }
const TRANSFER: IncomingTransfer = {
  ...{ transaction: '0x1', logIndex: 4, blockNumber: 900n, from: '0x2', amount: 1_000n, nonce: '0x3' },
}
const SETTLED = {
  ...{
    state: 'settled',
    settledAt: NOW,
    transaction: '0x1',
    logIndex: 4,
    audit: 'found',
    refusal: null,
    ...FREE,
  },
}

interface Given {
  readonly transfers?: readonly IncomingTransfer[]
  /** The row that is there already. */
  readonly known?: Partial<PaymentRow>
  readonly claims?: 'busy'
  readonly head?: bigint
  /** What the store does not move. */
  readonly refuses?: string
}

function bench({ transfers = [TRANSFER], known, claims, refuses, head = 1_000n }: Given = {}) {
  const [claimed, moves, ranges] = [[] as NewPayment[], [] as object[], [] as bigint[][]]
  const left = [...transfers]
  const options = {
    ledger: {
      find: async () => (known === undefined ? null : { ...newPayment(), ...known }),
      claim: async (payment: NewPayment) => {
        claimed.push(payment)
        if (claims !== undefined) return { kind: claims }
        const row = { ...payment, state: 'claimed', ...known } as PaymentRow
        return { kind: known === undefined ? 'claimed' : 'known', row }
      },
      move: async (seen: PaymentRow, change: PaymentChange) => {
        moves.push(change)
        return change.state === refuses ? null : { ...seen, ...change }
      },
    },
    chain: {
      finalityDepth: 12n,
      head: async () => ({ number: head, timestamp: 10_000 }),
      block: async (number: bigint) => ({ number, timestamp: 10_000 - Number(head - number) * 2 }),
      transfersTo: async (_payee: string, from: bigint, toBlock: bigint) => {
        ranges.push([from, toBlock])
        return { transfers: left.splice(0), toBlock }
      },
    },
    ...{ payee: PAYEE, now: () => NOW },
  }
  const restore = (since = 9_000_000) => restorePayments(options as never, since)
  return { restore, claimed, moves, ranges }
}

describe('a restore', () => {
  test('writes a row that says what the chain says, claimed before its transfer, and settles it', async () => {
    const { restore, claimed, moves } = bench()
    expect(await restore()).toEqual({ restored: 1, ignored: 0 })
    expect(claimed).toEqual([
      {
        ...{
          network: PAYEE.network,
          asset: '0xab',
          payer: '0x2',
          nonce: '0x3',
          amount: 1_000n,
          payTo: '0xcd',
        },
        ...{
          origin: 'restored',
          validBefore: null,
          ...FREE,
          surface: 'restored',
          checkType: 'mixed',
          ruleset: '',
        },
        ...{ shape: 'single', items: 1, salt: null, binding: null, bindingKey: null, signatureMac: null },
        ...{ identifier: null, taskKey: null, claimedAt: NOW, claimedBlock: 899n, settlingAt: NOW },
      },
    ])
    expect(moves).toEqual([{ state: 'settling', ...FREE }, SETTLED])
  })

  test('searches from the last block before its time to the last final one', async () => {
    const { restore, ranges } = bench()
    await restore(9_000_999)
    // At 9,000 seconds is block 500, two seconds apart.
    expect(ranges).toEqual([[500n, 988n]])
    const young = bench()
    await young.restore(11_000_000)
    expect(young.ranges).toEqual([])
    const short = bench({ head: 12n })
    await short.restore(0)
    expect(short.ranges).toEqual([])
  })

  const ours = { amount: 1_000n, payTo: '0xcd', leaseUntil: 0 } as const
  test.each<[string, Partial<PaymentRow>, string, readonly object[]]>([
    [
      'claimed by its repeat',
      { ...ours, state: 'claimed' },
      'restored',
      [{ state: 'settling', ...FREE }, SETTLED],
    ],
    ['left by an earlier restore', { ...ours, state: 'settling' }, 'restored', [SETTLED]],
    ['whose owner has just gone', { ...ours, state: 'settling', leaseUntil: NOW }, 'restored', [SETTLED]],
    ['in doubt', { ...ours, state: 'in_doubt' }, 'restored', [SETTLED]],
    ['in doubt and held', { ...ours, state: 'in_doubt', leaseUntil: NOW + 1 }, 'restored', [SETTLED]],
    ['refused', { ...ours, state: 'refused' }, 'restored', [SETTLED]],
    ['void', { ...ours, state: 'void' }, 'restored', [SETTLED]],
    ['that a process settles', { ...ours, state: 'settling', leaseUntil: NOW + 1 }, 'left alone', []],
    ['over another amount', { ...ours, state: 'void', amount: 999n }, 'ignored', []],
    ['for another payee', { ...ours, state: 'void', payTo: '0xCD' }, 'ignored', []],
  ])('of a row that is %s: %s', async (_what, known, outcome, expected) => {
    const { restore, moves } = bench({ known })
    expect(await restore()).toEqual({
      restored: Number(outcome === 'restored'),
      ignored: Number(outcome === 'ignored'),
    })
    expect(moves).toEqual(expected)
  })

  test.each<[string, Given]>([
    ['a transfer without an authorization', { transfers: [{ ...TRANSFER, nonce: null }] }],
    ['one that the store does not let claim', { claims: 'busy' }],
    ['one whose row another process takes', { refuses: 'settling' }],
    ['one whose row another process settles', { refuses: 'settled' }],
  ])('ignores %s', async (_what, given) => {
    expect(await bench(given).restore()).toEqual({ restored: 0, ignored: 1 })
  })

  test('passes over a row that is settled', async () => {
    const { restore, claimed } = bench({ known: { state: 'settled', amount: 1_000n } })
    expect(await restore()).toEqual({ restored: 0, ignored: 0 })
    expect(claimed).toEqual([])
  })
})

describe('a run of the recovery', () => {
  function run({ isFree = true, isHeld = true, goesOn = true, chainFails = false } = {}) {
    const said: string[] = []
    let time = 0
    let locks = 0
    const list = (name: string) => async (_bound: number, _limit: number, after?: PaymentRow) => {
      said.push(name)
      return after === undefined ? [{ ...newPayment(), state: 'in_doubt' }] : []
    }
    const recovery = runRecovery({
      ledger: {
        acquireLock: async (name: string, owner: string) => {
          said.push(`lock ${name} ${owner}`)
          locks += 1
          return locks === 1 ? isFree : isHeld
        },
        releaseLock: async (name: string, owner: string) => said.push(`free ${name} ${owner}`),
        unresolved: list('unresolved'),
        unaudited: list('unaudited'),
        ensureFact: async () => '0',
        replaceFact: async () => '0',
        move: async () => null,
      },
      chain: {
        finalityDepth: 0n,
        head: async () => {
          if (chainFails) throw new StoreUnavailable('gone')
          return { number: 1n, timestamp: 0 }
        },
        block: async () => Promise.reject(new ChainUnavailable('away')),
        trace: async () => ({ kind: 'unused' }),
        transfersTo: async (_payee: string, _from: bigint, toBlock: bigint) => ({ transfers: [], toBlock }),
      },
      goOn: async () => {
        // So long that the lock is renewed.
        time += 60_000
        return goesOn
      },
      ...{ owner: 'me', now: () => time, payee: PAYEE },
      ...{ onMissing: () => {}, onUnknown: () => {} },
    } as never)
    return { recovery, said }
  }
  const lock = `reconcile ${PAYEE.network}`

  test('reconciles, then audits, then looks for transfers, under the lock of its network', async () => {
    const { recovery, said } = run()
    expect(Object.keys((await recovery) ?? {})).toEqual(['reconciled', 'audited', 'scanned'])
    expect(said.filter((each) => !each.startsWith('lock'))).toEqual([
      'unresolved',
      'unaudited',
      `free ${lock} me`,
    ])
    expect(said[0]).toBe(`lock ${lock} me`)
  })

  test('does nothing while another replica holds the lock', async () => {
    const { recovery, said } = run({ isFree: false })
    expect(await recovery).toBeNull()
    expect(said).toEqual([`lock ${lock} me`])
  })

  test.each([
    ['the lock is lost', { isHeld: false }],
    ['the process stops', { goesOn: false }],
  ])('ends before the next row once %s', async (_what, given) => {
    const { recovery } = run(given)
    const open = { complete: false, open: 0 }
    expect(await recovery).toMatchObject({ reconciled: open, audited: open, scanned: { complete: false } })
  })

  test('frees the lock where the store fails', async () => {
    const { recovery, said } = run({ chainFails: true })
    await expect(recovery).rejects.toThrow(StoreUnavailable)
    expect(said.at(-1)).toBe(`free ${lock} me`)
  })
})
