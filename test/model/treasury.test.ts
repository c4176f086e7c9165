import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DAILY_LOSS_LIMIT,
  exploreTreasury,
  FIRST,
  nextOf,
  TREASURY_RULES,
  type TreasuryRule,
} from '../../model/treasury.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { sumTreasury } from '../../src/ledger/treasury/treasury-row.ts'
import { openFreshStore } from '../support/fresh-store.ts'

describe('the model of the treasury', () => {
  test('never passes the daily loss limit, and gives every reserve back, in every order of events', () => {
    const { states, broken } = exploreTreasury()
    expect(broken).toBeNull()
    expect(states).toBeGreaterThan(1_000)
  })

  test.each(
    Object.keys(TREASURY_RULES) as TreasuryRule[],
  )('finds what %s is for, once it is left out', (rule) => {
    expect(exploreTreasury(rule).broken).not.toBeNull()
  })

  test('is what the store does, step by step, in orders drawn at random', async () => {
    let walks = 0
    const { ledger, dataDir } = await openFreshStore('treasury-model')
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { minLength: 30, maxLength: 60 }), async (choices) => {
          walks += 1
          await play(ledger, walks, choices)
        }),
        { numRuns: 60 },
      )
    } finally {
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    }
  })
})

/** What is reserved for so many payments, with their dearest replacement. */
const HELD = [
  ['one', [2n, 'sale']],
  ['two', [3n, 'sale']],
] as const

/** Plays one walk through the model on the store, on two days that no other walk has. */
async function play(ledger: Ledger, walk: number, choices: readonly number[]): Promise<void> {
  const days = [0, 1].map((day) => new Date(Date.UTC(2030, 0, 2 * walk + day)).toISOString().slice(0, 10))
  const used = [0, 0]
  const nameOf = (at: number) => `${walk}/${at}/${used[at]}`
  let world = FIRST
  for (const choice of choices) {
    const moves = nextOf(world)
    const [action, next] = moves[choice % moves.length] as (typeof moves)[number]
    const at = Number(action.slice(-1))
    const before = world.nonces[at]
    const after = next.nonces[at]
    if (action.startsWith('reserve')) {
      const lossLimit = { day: days[world.day] as string, most: BigInt(DAILY_LOSS_LIMIT) }
      const [worst, kind] = HELD.find(([what]) => action.includes(what))?.[1] ?? [1n, 'upkeep']
      const purpose = kind === 'sale' ? ({ kind, payers: [] } as const) : ({ kind: 'upkeep' } as const)
      const said = await ledger.reserve(nameOf(at), purpose, worst, lossLimit)
      expect(said).toBe(after?.stage === 'reserved' ? 'admitted' : 'spent')
    }
    if (action.startsWith('lose')) {
      const from = nameOf(at)
      used[at] = (used[at] ?? 0) + 1
      expect(await ledger.moveReserve(from, nameOf(at))).toBe(true)
    }
    if (
      before !== undefined &&
      (action.startsWith('book') || (action.startsWith('drop') && before.isBooked))
    ) {
      const shares = [{ payer: '0x01', amount: BigInt(before.income) }]
      const booked = await ledger.release(nameOf(at), { spent: BigInt(before.cost), gas: 0n, shares })
      expect(booked === null).toBe(before.isBooked)
    }
    if (action.startsWith('end')) used[at] = (used[at] ?? 0) + 1
    for (const [index, { reserved, lost }] of next.days.entries()) {
      const day = days[index] as string
      expect(sumTreasury(await ledger.treasury(day, day))).toMatchObject({
        reserved: BigInt(reserved),
        lost: BigInt(lost),
      })
    }
    world = next
  }
}
