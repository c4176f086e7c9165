import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { salesBudget, sumTreasury } from '../../src/ledger/treasury/treasury-row.ts'
import { databasePerTest } from '../support/test-databases.ts'

/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const DAILY_LOSS_LIMIT = { day: '2026-11-20', most: 133n }
const COST = 7n
const database = databasePerTest()
let replicas: readonly Ledger[]

beforeEach(async () => {
  replicas = await Promise.all([1, 2].map(() => openPostgresLedger({ url: database.url })))
})
afterEach(async () => {
  for (const each of replicas) await each.close()
})

test('two replicas that reserve, book, lose nonces and collect at once never pass the daily loss limit', async () => {
  const [one] = replicas as [Ledger, Ledger]
  const payer = `0x${'a1'.repeat(20)}`
  const sums = async () => sumTreasury(await one.treasury(DAILY_LOSS_LIMIT.day, DAILY_LOSS_LIMIT.day))
  const act = async (ledger: Ledger, replica: number, index: number) => {
    const id = `${replica}/${index}`
    const isUpkeep = index % 4 === 3
    const purpose = isUpkeep ? ({ kind: 'upkeep' } as const) : ({ kind: 'sale', payers: [] } as const)
    if ((await ledger.reserve(id, purpose, COST, DAILY_LOSS_LIMIT)) !== 'admitted') return null
    const { reserved, lost, overrun } = await sums()
    expect(reserved + lost + overrun).toBeLessThanOrEqual(DAILY_LOSS_LIMIT.most)
    if (index % 5 === 0) expect(await ledger.moveReserve(id, `${id}/again`)).toBe(true)
    const name = index % 5 === 0 ? `${id}/again` : id
    // Both find the receipt, and one of them books it.
    const outlay = { spent: COST, gas: 1n, shares: isUpkeep ? [] : [{ payer, amount: 0n }] }
    const booked = await Promise.all(replicas.map((each) => each.release(name, outlay)))
    expect(booked.filter((each) => each !== null)).toEqual([{ lost: COST, overrun: 0n }])
    return isUpkeep
  }
  const done = await Promise.all(
    replicas.flatMap((ledger, replica) =>
      Array.from({ length: 24 }, (_, index) => act(ledger, replica, index)),
    ),
  )
  const admitted = done.filter((each) => each !== null)
  const sales = admitted.filter((isUpkeep) => !isUpkeep)
  expect(BigInt(sales.length) * COST).toBeLessThanOrEqual(salesBudget(DAILY_LOSS_LIMIT.most))
  expect(await sums()).toMatchObject({ reserved: 0n, lost: BigInt(admitted.length) * COST, overrun: 0n })
  // What is left is too little for one more of them.
  expect(await one.reserve('one more', { kind: 'sale', payers: [] }, COST, DAILY_LOSS_LIMIT)).toBe('spent')
})
