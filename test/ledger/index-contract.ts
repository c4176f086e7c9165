import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import type { PaymentChange } from '../../src/ledger/payments/payment-row.ts'
import { newChannel, newDeposit } from '../support/channel-rows.ts'
import { claimed, newTask } from '../support/ledger-rows.ts'
import { reach } from '../support/reach-state.ts'

/** A store whose indexes can be looked at, besides those of primary keys. */
export interface IndexedStore {
  readonly ledger: Ledger
  /** How many rows each index has. */
  entries(): Promise<ReadonlyMap<string, number>>
  /** The indexes in which the database looks up rows for the statements of a call. */
  used(call: (ledger: Ledger) => Promise<unknown>): Promise<readonly string[]>
  close(): Promise<void>
}

const identifier = Buffer.alloc(32, 7)
const [payer, transaction] = [`0x${'a'.repeat(40)}`, `0x${'1'.repeat(64)}`]
const windows = { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 }
const PAGE = 10

const settledAt = 2_000
const atLog = { transaction, logIndex: 3 }
const paid = async (ledger: Ledger, change: PaymentChange, given: Partial<NewPayment> = {}) =>
  reach(ledger, await claimed(ledger, given), change)
const delivered = async (ledger: Ledger, change: PaymentChange, given: Partial<NewPayment> = {}) => {
  const row = await paid(ledger, { state: 'settled', settledAt, ...change }, given)
  await ledger.noteDelivered(row, 3_000, 9)
  return row
}

/** What a row is in: each index costs every write of such a row, and each reads no more than it has. */
const ENTRIES: readonly (readonly [string, (ledger: Ledger) => Promise<unknown>, readonly string[]])[] = [
  ['a claim', (ledger) => claimed(ledger), ['payments_bound', 'payments_unanswered', 'payments_unresolved']],
  [
    'a claim with a payment identifier',
    (ledger) => claimed(ledger, { identifier: Buffer.alloc(32, 1) }),
    ['payments_bound', 'payments_identifier', 'payments_unanswered', 'payments_unresolved'],
  ],
  [
    'a payment that is settling',
    (ledger) => paid(ledger, { state: 'settling' }),
    ['payments_bound', 'payments_unanswered', 'payments_unresolved'],
  ],
  [
    'a payment with a payment identifier that is settling',
    (ledger) => paid(ledger, { state: 'settling' }, { identifier: Buffer.alloc(32, 2) }),
    [
      'payments_bound',
      'payments_identifier',
      'payments_one_settling',
      'payments_unanswered',
      'payments_unresolved',
    ],
  ],
  [
    'a payment in doubt',
    (ledger) => paid(ledger, { state: 'in_doubt' }),
    ['payments_bound', 'payments_unanswered', 'payments_unresolved'],
  ],
  [
    'a refused payment',
    (ledger) => paid(ledger, { state: 'refused' }),
    ['payments_bound', 'payments_unanswered', 'payments_unresolved'],
  ],
  ['a void payment', (ledger) => paid(ledger, { state: 'void' }), ['payments_bound', 'payments_unanswered']],
  [
    'a sale',
    (ledger) => paid(ledger, { state: 'settled', settledAt, ...atLog }),
    ['payments_bound', 'payments_log', 'payments_settled', 'payments_unanswered', 'payments_unaudited'],
  ],
  [
    'a sale that was delivered',
    (ledger) => delivered(ledger, {}),
    ['payments_bound', 'payments_delivered', 'payments_settled', 'payments_unaudited'],
  ],
  [
    'a sale that the audit misses',
    (ledger) => delivered(ledger, { audit: 'missing' }),
    ['payments_bound', 'payments_delivered', 'payments_missing', 'payments_settled'],
  ],
  [
    'a sale that the audit found',
    (ledger) => delivered(ledger, { audit: 'found' }),
    ['payments_bound', 'payments_delivered', 'payments_settled'],
  ],
  [
    'a finished sale',
    (ledger) => delivered(ledger, { audit: 'found' }, { salt: null }),
    ['payments_delivered', 'payments_settled'],
  ],
  ['an unpaid task', (ledger) => ledger.saveTask(newTask(), PAGE), ['tasks_expiry', 'tasks_unpaid']],
  [
    'a task that ended unpaid',
    async (ledger) => {
      const task = newTask()
      await ledger.saveTask(task, PAGE)
      await ledger.endTask(task.key, 'canceled', task.sealed, 1_000)
    },
    ['tasks_expiry'],
  ],
  [
    'a claim and its task',
    async (ledger) => {
      const task = newTask()
      const row = await claimed(ledger)
      await ledger.reclaim(row, { taskKey: task.key }, { kind: 'new', task })
    },
    ['payments_bound', 'payments_unanswered', 'payments_unresolved', 'tasks_expiry', 'tasks_payment'],
  ],
  [
    'a channel with something to claim',
    (ledger) => ledger.openChannel(newChannel()),
    ['channels_bound', 'channels_claimable', 'channels_payer'],
  ],
  [
    'a channel that was claimed',
    (ledger) => ledger.openChannel(newChannel({ charged: 5n, totalClaimed: 5n })),
    ['channels_bound', 'channels_payer'],
  ],
  [
    'a channel whose last call is no longer bound',
    (ledger) => {
      const { lastCall, ...others } = newChannel({ charged: 5n, totalClaimed: 5n })
      return ledger.openChannel({ ...others, lastCall: { ...lastCall, salt: null } })
    },
    ['channels_payer'],
  ],
  [
    'a deposit that may have been sent',
    (ledger) => ledger.claimDeposit(newDeposit()),
    ['channel_deposits_sending', 'channel_deposits_voucher'],
  ],
  [
    'a deposit that landed',
    (ledger) => ledger.claimDeposit(newDeposit({ state: 'landed' })),
    ['channel_deposits_voucher'],
  ],
]

const lossLimit = { day: '2026-11-20', most: 1n }
const attention = { now: 5_000, undeliveredSince: 1_000, undeliveredBefore: 4_000, limit: PAGE }
const settleFromLog = async (ledger: Ledger) =>
  ledger.move(await paid(ledger, { state: 'settling' }), {
    state: 'settled',
    settledAt,
    transaction,
    logIndex: 4,
  })

/** The call that needs each index. */
const USES: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  payments_log: settleFromLog,
  payments_identifier: (ledger) => ledger.findByIdentifier(identifier),
  payments_unresolved: (ledger) => ledger.unresolved(1_000, PAGE),
  payments_unaudited: (ledger) => ledger.unaudited(1_000, PAGE),
  payments_missing: (ledger) => ledger.attention(attention),
  payments_bound: (ledger) => ledger.purge(1_000, windows),
  payments_settled: (ledger) => ledger.settled(0, 1_000, PAGE),
  payments_unanswered: (ledger) => ledger.unanswered(payer, 'iban', 1, 1),
  payments_delivered: (ledger) => ledger.unanswered(payer, 'iban', 1, 1),
  tasks_expiry: (ledger) => ledger.purge(1_000, windows),
  tasks_unpaid: (ledger) => ledger.saveTask(newTask(), PAGE),
  tasks_payment: async (ledger) => ledger.reclaim(await claimed(ledger), { owner: 'boot-2' }),
  channels_bound: (ledger) => ledger.purge(1_000, windows),
  channels_claimable: (ledger) => ledger.claimableChannels(PAGE),
  channels_payer: (ledger) => ledger.mayAct({ kind: 'deposit', payer }, 1n, lossLimit),
  channel_deposits_voucher: (ledger) => ledger.depositsWith(`0x${'c'.repeat(64)}`, 1_000n),
  channel_deposits_sending: (ledger) => ledger.unresolvedDeposits(1_000, PAGE),
  treasury_payer: (ledger) => ledger.mayAct({ kind: 'deposit', payer }, 1n, lossLimit),
}
/** Refuses a second row; no statement looks there. */
const GUARD = 'payments_one_settling'

/** Every index of an adapter: which rows it has, and the call that looks there. */
export function describeIndexes(name: string, open: () => Promise<IndexedStore>): void {
  describe(`the indexes of the ${name} ledger`, () => {
    let store: IndexedStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    test.each(ENTRIES)('%s is only in those that are for it', async (_, put, indexes) => {
      const before = await store.entries()
      await put(store.ledger)
      const after = await store.entries()
      const grown = [...after].filter(([index, count]) => count !== (before.get(index) ?? 0))
      expect(grown.map(([index]) => index).toSorted()).toEqual(indexes)
      expect(grown.every(([index, count]) => count === (before.get(index) ?? 0) + 1)).toBe(true)
    })

    test.each(Object.entries(USES))('%s is where the rows of its call are looked up', async (index, call) => {
      expect(await store.used(call)).toContain(index)
    })

    test('are these and no others', async () => {
      const named = Object.keys(USES)
      expect([...(await store.entries()).keys()].toSorted()).toEqual([GUARD, ...named].toSorted())
    })
  })
}
