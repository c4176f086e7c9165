import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../support/command.ts'
import { faultPage, faultRows } from './bench/fault-table.ts'
import { shown, stateOf } from './bench/order.ts'
import { chargedTo, type Ending, type Played, type Row } from './bench/row.ts'
import { type Stage, startStage, type Target } from './bench/stage.ts'
import { ATTACK_ROWS } from './rows/attack-rows.ts'
import { BUYER_ROWS } from './rows/buyer-rows.ts'
import { CLIENT_ROWS } from './rows/client-rows.ts'
import { CLOCK_ROWS } from './rows/clock-rows.ts'
import { KILL_ROWS } from './rows/kill-rows.ts'
import { ACCEPTED_ROWS, LIE_ROWS } from './rows/lie-rows.ts'
import { NODE_ROWS } from './rows/node-rows.ts'
import { SELF_ROWS } from './rows/self-rows.ts'
import { SETTLE_ROWS } from './rows/settle-rows.ts'
import { STORE_ROWS } from './rows/store-rows.ts'

const ROWS: readonly Row[] = [
  ...CLIENT_ROWS,
  ...SETTLE_ROWS,
  ...KILL_ROWS,
  ...STORE_ROWS,
  ...NODE_ROWS,
  ...CLOCK_ROWS,
  ...BUYER_ROWS,
  ...LIE_ROWS,
  ...ATTACK_ROWS,
  ...SELF_ROWS,
  ...ACCEPTED_ROWS,
]
const PAGE = join(ROOT, 'docs/evidence/faults')
/** Where a row may stay once the chain has passed validBefore. */
const FINAL = ['settled', 'void', 'claimed', 'none']
const RECOVERY_MS = 300_000

let stage: Stage
const outcomes = new Map<Row, Played>()
const endings = new Map<Row, Ending>()
const named = (row: Row) => [`${row.fault} (${row.on})`, row] as const

beforeAll(async () => {
  stage = await startStage()
})

afterAll(async () => {
  await stage.stop()
})

describe.concurrent('under the fault', () => {
  test.each(ROWS.map(named))('%s', async (_name, row) => {
    const outcome = await row.play(stage)
    outcomes.set(row, outcome)
    const { first, repeated } = row.expected
    expect({ first: outcome.first, repeated: outcome.repeated }).toEqual({ first, repeated })
  })
})

describe('after recovery', () => {
  beforeAll(async () => {
    await stage.world.passTime(600)
    await restart(await stage.replicas())
    await recoverAll()
    for (const [row, played] of outcomes) endings.set(row, await endingOf(played))
  }, RECOVERY_MS * 2)

  test.each(ROWS.map(named))('%s', (_name, row) => {
    expect(endings.get(row)).toEqual(row.expected)
  })

  test('nothing is charged without an answer, answered without a charge, or charged twice', () => {
    const kept = [...endings].filter(([row]) => row.outside !== true)
    const breaking = (rule: (ending: Ending) => boolean) =>
      kept.filter(([, ending]) => rule(ending)).map(([row]) => row.fault)
    expect(kept).toHaveLength(ROWS.length - ACCEPTED_ROWS.length)
    expect(breaking(({ charged, last }) => charged > 0 && last !== 'verdict')).toEqual([])
    expect(breaking((ending) => ending.charged === 0 && isAnswered(ending))).toEqual([])
    expect(breaking(({ charged }) => charged > 1)).toEqual([])
  })

  test('the table in the documents is this one', () => {
    const rows = ROWS.flatMap((row): [Row, Ending][] => {
      const ending = endings.get(row)
      return ending === undefined ? [] : [[row, ending]]
    })
    const seen = { md: faultPage(rows), csv: faultRows(rows) }
    mkdirSync(join(ROOT, 'ci-output'), { recursive: true })
    for (const [ending, text] of Object.entries(seen)) {
      writeFileSync(join(ROOT, `ci-output/faults.${ending}`), text)
      if (process.env.UPDATE_FAULTS === 'yes') writeFileSync(`${PAGE}.${ending}`, text)
      expect(readFileSync(`${PAGE}.${ending}`, 'utf8')).toBe(text)
    }
  })
})

const isAnswered = ({ first, repeated, last }: Ending) => [first, repeated, last].includes('verdict')

async function endingOf(played: Played): Promise<Ending> {
  const { order, target, first, repeated } = played
  const last = shown(await order.send(target.url))
  const state = await stateOf(target.url, order)
  return { first, repeated, charged: await chargedTo(stage, played), state, last }
}

async function restart({ services }: Target): Promise<void> {
  await Promise.all(services.map((service) => service.stop()))
  await Promise.all(services.map((service) => service.start({ MAY_DIE: 'no' })))
}

/** Starts one process of each store that has something left to find out, and waits until it has. */
async function recoverAll(): Promise<void> {
  const restarted = new Set<string>()
  for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; await sleep(1_000)) {
    const open: Played[] = []
    for (const played of outcomes.values()) {
      if (!FINAL.includes(await stateOf(played.target.url, played.order))) open.push(played)
    }
    if (open.length === 0) return
    const waiting = open.map(({ target }) => target).filter(({ url }) => !restarted.has(url))
    await Promise.all(
      [...new Map(waiting.map((target) => [target.url, target])).values()].map(async ({ url, services }) => {
        restarted.add(url)
        await services[0]?.stop()
        await services[0]?.start({ MAY_DIE: 'no' })
      }),
    )
  }
}
