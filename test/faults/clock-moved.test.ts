import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { type LiveService, startLiveService } from './bench/live-service.ts'
import { type MadeSale, type MixedSale, makeSale, signSale } from './bench/mixed-sales.ts'
import { untilPayments } from './bench/row.ts'
import { freshPayee, PRICE, startWorld, type World } from './bench/world.ts'

const SEED = 57
const CLIENTS = 8
const CALLS = 10_000
const DAY_MS = 86_400_000
/** Enough of them that some are under way when the clock moves. */
const SALES_OF_A_PHASE = 120
const PATIENCE_MS = 90_000

let world: World
let service: LiveService
let scratch: ScratchDir
const payTo = freshPayee()

/** Moves the clock of the service alone; chain and buyers keep theirs. */
function moveClock(byMs: number): void {
  const file = join(scratch.path, 'clock')
  writeFileSync(`${file}.new`, String(byMs))
  renameSync(`${file}.new`, file)
}

beforeAll(async () => {
  scratch = scratchDir()
  moveClock(0)
  world = await startWorld()
  service = await startLiveService({
    environment: { ...world.settings(payTo), CLOCK_FILE: join(scratch.path, 'clock') },
    preload: ['shifted-clock'],
  })
})
afterAll(async () => {
  await service.remove()
  await world.stop()
  scratch.remove()
})

test('a clock moved by a day under paid calls: no payment is called wrong, and each charge has its answer', async () => {
  const random = new SeededRandom(SEED)
  const made = new Map<MixedSale, MadeSale>()
  const repeats: MadeSale[] = []
  let selling = true
  const clients = Array.from({ length: CLIENTS }, async () => {
    const buyer = await world.buyer(CALLS)
    while (selling) {
      const sale = await signSale({ payTo }, buyer, made.size, random)
      made.set(sale, await makeSale(service.url, sale, 0))
      // What was paid for is answered by any clock.
      const [paid] = [...made].findLast(([, { outcome }]) => outcome.kind === 'verdict') ?? []
      if (paid !== undefined) repeats.push(await makeSale(service.url, paid, 0))
    }
  })

  const sold: Record<string, number> = {}
  for (const days of [0, 1, 0, -1, 0]) {
    const before = made.size
    moveClock(days * DAY_MS)
    await untilPayments(service.url, days === 0 ? undefined : 'clock_wrong')
    while (made.size < before + SALES_OF_A_PHASE) await sleep(50)
    sold[`${Object.keys(sold).length}: ${days} days`] = made.size - before
  }
  selling = false
  await Promise.all(clients)

  const refused = [...made.values(), ...repeats].flatMap(({ outcome }) =>
    outcome.kind === 'refused' ? outcome.what.slice(0, 200) : [],
  )
  expect(refused).toEqual([])
  expect(repeats.filter(({ outcome }) => outcome.kind !== 'verdict')).toEqual([])
  const later = [...made].filter(([, { outcome }]) => outcome.kind === 'later')
  console.log(sold, `${made.size} sales, ${later.length} of them not at once; ${repeats.length} repeats`)
  const charged = () => world.balance(payTo)
  // Each buyer that was charged has the verdict already.
  expect(await charged()).toBe(BigInt(made.size - later.length) * PRICE)
  for (const [sale] of later) {
    const { outcome } = await makeSale(service.url, sale, Date.now() + PATIENCE_MS)
    expect(outcome.kind).toBe('verdict')
  }
  expect(await charged()).toBe(BigInt(made.size) * PRICE)
})
