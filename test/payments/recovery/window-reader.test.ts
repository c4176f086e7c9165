/** Backlogs of settled rows that the position of the scan has passed, with a node that counts what it is asked. */
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import {
  type ChainReader,
  ChainUnavailable,
  type IncomingTransfer,
} from '../../../src/payments/chain/chain-reader.ts'
import { type RecoverOptions, runRecovery } from '../../../src/payments/recovery/run-recovery.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { openTempLedger, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const [HEAD, DEPTH, WINDOW] = [20_012n, 12n, 2_000n]
const NOW = 1_800_000_000_000
const timeOf = (block: bigint) => NOW / 1000 - Number(HEAD - block) * 2
const [PAY_TO, EARLIER] = [`0x${'b'.repeat(40)}`, `0x${'e'.repeat(40)}`]
const HASH = `0x${'12'.repeat(32)}`
const FREE = { owner: null, leaseUntil: 0 } as const

let store: TempLedger
let paid: (IncomingTransfer & { readonly to: string })[]
let asked: string[]
let unknown: IncomingTransfer[]
/** The block in which each authorization was used. */
let used: Map<string, bigint>
/** What the node does not give: logs from a block on, or more blocks than these in an answer. */
let node: { refused: bigint | null; most: bigint }
beforeEach(async () => {
  store = await openTempLedger()
  paid = []
  asked = []
  unknown = []
  used = new Map()
  node = { refused: null, most: WINDOW }
})
afterEach(() => store.close())

const chain = {
  finalityDepth: DEPTH,
  head: async () => ({ number: HEAD, timestamp: timeOf(HEAD) }),
  block: async (number: bigint) => ({ number, timestamp: timeOf(number) }),
  authorizationUsed: async (_payer: Hex, nonce: Hex, at = HEAD) => at >= (used.get(nonce) ?? HEAD),
  trace: async ({ nonce }: { readonly nonce: Hex }) => {
    asked.push(nonce)
    const payments = paid.filter((each) => each.nonce === nonce && each.amount === 1_000n)
    return { kind: 'used', payments, elsewhere: paid.filter((each) => each.nonce === nonce) }
  },
  transfersTo: async (payee: string, from: bigint, last: bigint) => {
    asked.push(`${payee.slice(0, 3)} ${from}`)
    if (node.most === 0n || (node.refused !== null && from <= node.refused && node.refused <= last))
      throw new ChainUnavailable('refused')
    const toBlock = from + node.most - 1n < last ? from + node.most - 1n : last
    const isIn = ({ to, blockNumber }: (typeof paid)[number]) =>
      to === payee && blockNumber >= from && blockNumber <= toBlock
    return { transfers: paid.filter(isIn), toBlock }
  },
} as unknown as ChainReader

const recover = (change: Partial<RecoverOptions> = {}) =>
  runRecovery({
    ...{ ledger: store.ledger, chain, owner: 'boot-1', now: () => NOW },
    payee: { network: 'eip155:8453', asset: newPayment().asset, payTo: PAY_TO },
    onMissing: () => {},
    onUnknown: (transfer) => void unknown.push(transfer),
    ...change,
  })

/** So many sales, one a block from a block on, each paid in the next one. */
async function sell(count: number, from: bigint, change: Partial<NewPayment> = {}): Promise<PaymentRow[]> {
  const rows: PaymentRow[] = []
  for (let index = 0; index < count; index += 1) {
    const claimedBlock = from + BigInt(index)
    const claimedAt = timeOf(claimedBlock) * 1000
    const validBefore = timeOf(claimedBlock) + 300
    const payment = newPayment({ ...FREE, claimedAt, claimedBlock, validBefore, payTo: PAY_TO, ...change })
    const settled = { state: 'settled', transaction: HASH, settledAt: claimedAt + 2_000, ...FREE } as const
    rows.push(await rowIn(store.ledger, payment, settled))
    used.set(payment.nonce, claimedBlock + 1n)
    paid.push({
      ...{ from: payment.payer as Hex, nonce: payment.nonce as Hex, amount: 1_000n, to: payment.payTo },
      ...{ transaction: `0x${payment.nonce.slice(2)}`, logIndex: 0, blockNumber: claimedBlock + 1n },
    })
  }
  return rows
}
const found = async (rows: readonly PaymentRow[]) => {
  const now = await Promise.all(rows.map((row) => store.ledger.find(row)))
  return now.filter((row) => row?.audit === 'found' && row.transaction === `0x${row.nonce.slice(2)}`).length
}
const scannedTo = (block: bigint) => store.ledger.ensureFact(`scanned-to/${PAY_TO}`, String(block))

test('at the first start with a node the rows that wait are found by the logs of their blocks', async () => {
  const rows = await sell(60, 6_100n)
  const recovery = await recover()
  expect(recovery?.audited).toMatchObject({ found: 60, complete: true })
  expect([asked, await found(rows)]).toEqual([['0xb 6000'], 60])
})

test('so are those of a restored store, whose position has passed them', async () => {
  await scannedTo(HEAD - DEPTH - 100n)
  const rows = await sell(200, 7_900n)
  expect((await recover())?.audited).toEqual({ found: 200, missing: 0, open: 0, complete: true })
  expect(asked).toEqual(['0xb 19901', '0xb 6000', '0xb 8000'])
  expect(await found(rows)).toBe(200)
})

test('those of an earlier PAY_TO are found by its own logs, and other money it got is not reported', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows = await sell(60, 6_100n, { payTo: EARLIER })
  paid.push({ ...(paid[0] as (typeof paid)[number]), nonce: null, logIndex: 7 })
  expect((await recover())?.audited).toMatchObject({ found: 60, open: 0 })
  expect([asked, unknown, await found(rows)]).toEqual([['0xe 6000'], [], 60])
})

test('a window that the node refuses keeps the audit from no row: its own are looked at one by one', async () => {
  await scannedTo(HEAD - DEPTH)
  const [refused, others] = [await sell(60, 6_100n), await sell(160, 12_100n)]
  node.refused = 6_500n
  const recovery = await recover()
  expect(recovery?.audited).toEqual({ found: expect.any(Number), missing: 0, open: 0, complete: true })
  expect(asked.filter((each) => each.startsWith('0xb '))).toEqual(['0xb 6000', '0xb 12000'])
  // Of the second window those on a page with the first one.
  expect(asked.filter((each) => each.length === HASH.length)).toHaveLength(100)
  expect(await found([...refused, ...others])).toBe(220)
})

test('rows that the logs do not explain are looked at one by one, and their blocks are read once', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows = await sell(120, 6_100n)
  // Omitted by the node, and one with another amount.
  const omitted = paid.splice(0, 60)
  paid.push({ ...(omitted[0] as (typeof paid)[number]), amount: 999n })
  const windows = new Map<string, bigint>()
  expect((await recover({ windows }))?.audited).toMatchObject({ found: 60, missing: 1, open: 59 })
  expect((await recover({ windows }))?.audited).toMatchObject({ found: 0, missing: 0, open: 59 })
  expect(asked.filter((each) => each.startsWith('0xb '))).toEqual(['0xb 6000'])
  expect(asked.filter((each) => each.length === HASH.length)).toHaveLength(119)
  expect([await found(rows), unknown]).toEqual([60, []])
})

test('a few rows are looked at one by one', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows = await sell(49, 6_100n)
  await recover()
  expect([asked.length, await found(rows)]).toEqual([49, 49])
})

test('at a node that gives ten blocks an answer no more is asked than one by one, and no other window is read', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows = [...(await sell(60, 6_100n)), ...(await sell(60, 12_100n))]
  node.most = 10n
  await recover()
  expect(asked.filter((each) => each.startsWith('0xb '))).toHaveLength(31)
  expect(asked.filter((each) => each.length === HASH.length)).toHaveLength(60)
  expect(await found(rows)).toBe(120)
})

test('of windows that the node refuses three are tried in a run', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows: PaymentRow[] = []
  for (const from of [2_100n, 4_100n, 6_100n, 8_100n]) rows.push(...(await sell(100, from)))
  node.most = 0n
  expect((await recover())?.audited).toMatchObject({ found: 400, complete: true })
  expect(asked.filter((each) => each.startsWith('0xb '))).toEqual(['0xb 2000', '0xb 4000', '0xb 6000'])
  expect(await found(rows)).toBe(400)
})

test('a run that is stopped between two answers, or whose node goes, says that it is not complete', async () => {
  await scannedTo(HEAD - DEPTH)
  await sell(60, 6_100n)
  const stopped = await recover({ goOn: async () => false })
  expect(stopped?.audited).toMatchObject({ found: 0, complete: false })
  const away = { ...chain, head: () => Promise.reject(new ChainUnavailable('away')) }
  const gone = await recover({ chain: away })
  expect(gone?.audited).toMatchObject({ found: 0, complete: false })
  expect(asked).toEqual([])
})

test('two replicas that read at once do no harm', async () => {
  await scannedTo(HEAD - DEPTH)
  const rows = await sell(60, 6_100n)
  const acquireLock = async () => true
  const ledger = { ...store.ledger, acquireLock }
  await Promise.all(['one', 'other'].map((owner) => recover({ ledger, owner })))
  expect(asked).toEqual(['0xb 6000', '0xb 6000'])
  expect(await found(rows)).toBe(60)
})
