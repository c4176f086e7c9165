/**
 * One sale alone, step by step: `node bench/profile/timeline.ts [sales]`. Prints the median of each step in microseconds, on the
 * machine as it is and beside two busy processes.
 */
import { startLoad } from '../load/load.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { median } from '../median.ts'
import { keepBusy, nextMessage } from '../processes.ts'
import { startOurs, startWorld } from '../servers/our-service.ts'

type Stamps = readonly (readonly [step: string, ms: number])[]

/** What comes one after the other in a sale alone, each as the end of what it names. */
const STEPS = [
  ['request', ''],
  ['transaction', 'reads the request and the payment, recovers the signer'],
  ['committed', 'writes the claim'],
  ['flushed', 'waits for the disk'],
  ['asked', 'hands the payment to the facilitator'],
  ['told', 'waits for the facilitator'],
  ['transaction', 'reads its reply'],
  ['committed', 'writes the settlement'],
  ['answered', 'signs the receipt and answers'],
] as const

const sales = Number(process.argv[2] ?? 400)

/** Microseconds of each step after the first, of the sales that nothing else came between. */
function stepsOf(stamps: Stamps): readonly (readonly number[])[] {
  const found: number[][] = []
  for (let at = 0; at + STEPS.length <= stamps.length; at += 1) {
    const part = stamps.slice(at, at + STEPS.length)
    if (part.every(([step], index) => step === STEPS[index]![0]))
      found.push(part.slice(1).map(([, ms], index) => (ms - part[index]![1]) * 1_000))
  }
  return found
}

const [world, load] = [await startWorld(), startLoad()]
const ours = await startOurs(world, { nodeArgs: ['--import', new URL('stamps.ts', import.meta.url).href] })
const required = await termsOf(ours.port)

async function measure(): Promise<readonly (readonly number[])[]> {
  const source = { kind: 'paid', surface: 'rest', count: sales, required, payers: 64 } as const
  await load.drive(ours.pid, { port: ours.port, connections: 1, milliseconds: 60_000, expected: 200, source })
  const told = nextMessage<Stamps>(ours)
  ours.child.send('stamps')
  return stepsOf(await told)
}

// V8 compiles for some 2,000 sales.
for (let warm = 0; warm < 5; warm += 1) await measure()
const quiet = await measure()
const end = keepBusy()
const shared = await measure()
end()
await Promise.all([load.stop(), world.stop(), ours.stop()])

const column = (measured: typeof quiet, at: number) => Math.round(median(measured.map((each) => each[at]!)))
console.log('| step | alone, µs | beside two busy processes, µs |\n| --- | --- | --- |')
for (const [at, [, what]] of STEPS.slice(1).entries())
  console.log(`| ${what} | ${column(quiet, at)} | ${column(shared, at)} |`)
const whole = (measured: typeof quiet) =>
  Math.round(median(measured.map((each) => each.reduce((sum, step) => sum + step, 0))))
console.log(`| in all, ${quiet.length} and ${shared.length} sales | ${whole(quiet)} | ${whole(shared)} |`)
