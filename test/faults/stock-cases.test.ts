import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'
import { startWorld, type World } from './bench/world.ts'
import { CASES, type Case, type Outcome } from './stock/cases.ts'
import { type Side, sidesIn } from './stock/sides.ts'
import { type Compared, stockPage } from './stock/stock-page.ts'

const PAGE = join(ROOT, 'docs/evidence/stock.md')
const NAMES = ['stock', 'ours'] as const

const stops: (() => Promise<unknown>)[] = []
const outcomes: Record<Side['name'], Map<Case, Outcome>> = { stock: new Map(), ours: new Map() }
let world: World
let sides: ReturnType<typeof sidesIn>
let shared: Record<Side['name'], Side>

beforeAll(async () => {
  world = await startWorld()
  sides = sidesIn(world, stops)
  shared = { stock: await sides.stock(), ours: await sides.ours() }
})
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await world.stop()
})

describe.each(NAMES)('%s', (name) => {
  test.concurrent.each(CASES.map((each) => [each.failure, each] as const))('%s', async (_failure, each) => {
    const outcome = await each.play(sides[name], shared[name])
    outcomes[name].set(each, outcome)
    expect(outcome.first).not.toBe('')
  })
})

test('ours charges once, and never without a verdict', () => {
  for (const [{ failure }, { first, repeated, charged }] of outcomes.ours) {
    expect([failure, charged]).toEqual([failure, Math.min(charged, 1)])
    expect([failure, charged === 0 || `${first} ${repeated}`.includes('verdict')]).toEqual([failure, true])
  }
})

test('the table in the documents is this one', () => {
  const compared = CASES.map(
    (each): Compared => ({
      failure: each.failure,
      stock: outcomes.stock.get(each) as Outcome,
      ours: outcomes.ours.get(each) as Outcome,
    }),
  )
  const page = stockPage(compared)
  mkdirSync(join(ROOT, 'ci-output'), { recursive: true })
  writeFileSync(join(ROOT, 'ci-output/stock-cases.md'), page)
  if (process.env.UPDATE_FAULTS === 'yes') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
