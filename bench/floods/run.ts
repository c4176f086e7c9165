/** How long health and a paid call take beside each flood of one address, and idle. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:http'
import { parseArgs } from 'node:util'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { csvTable } from '../../scripts/csv-table.ts'
import { between } from '../../scripts/skill-tables.ts'
import { IBAN } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { type Buyer, buyersOf, paymentSigner } from '../load/sign-payments.ts'
import { LOAD_CORE, nextMessage, startPinned } from '../processes.ts'
import { machineLine } from '../report/machine.ts'
import { startOurs, startWorld } from '../servers/our-service.ts'
import { shapesFor } from './shapes.ts'

const HELP = `npm run floods -- [options]

How long health and a paid call take beside each flood of one address, and idle; some ten minutes on two idle processors.
The service has a core, everything else the other. One paying client shares the flood's address; another one, and the
balancer that asks for health, have their own.

  --only <part>   floods whose name has this part
  --seconds <n>   of each flood; 6 by default
  --write         writes the table into docs/evidence/floods.csv, what it says into docs/evidence/attacks.md
  --help          this text`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const seconds = Number(values.seconds)
const PAUSE_MS = 20
/** A request that takes longer counts as this long. */
const LONGEST_MS = 20_000

interface PaidCalls {
  /** 95th percentile, milliseconds. */
  readonly p95: number
  readonly sold: number
  readonly refused: number
}

interface Figures {
  /** 95th percentile, milliseconds. */
  readonly health: number
  readonly elsewhere: PaidCalls
  readonly sharing: PaidCalls
}

/** The flood's is 127.0.0.1. */
const ADDRESSES = { balancer: '127.0.0.2', elsewhere: '127.0.0.3', sharing: '127.0.0.1' } as const

const BODY = JSON.stringify({ value: IBAN })
const agentOf = (localAddress: string) => new Agent({ keepAlive: true, maxSockets: 1, localAddress })

const IDLE = 'none'
const MOST_HEALTH_MS = 200
const MOST_TIMES_IDLE = 3
const PAGE = new URL('../../docs/evidence/attacks.md', import.meta.url)
const TABLE = new URL('floods.csv', PAGE)

const names = shapesFor({} as PaymentRequirements)
  .map(({ name }) => name)
  .filter((name) => name.includes(values.only))
const HEAD = [
  ...['flood', 'healthz p95 ms', 'paid elsewhere p95 ms', 'paid', 'refused'],
  ...['paid beside it p95 ms', 'paid', 'refused'],
]
const world = await startWorld()
try {
  const rows: string[][] = []
  const measured = new Map<string, Figures>()
  for (const name of [IDLE, ...names]) {
    const figures = await beside(name)
    measured.set(name, figures)
    const { health, elsewhere, sharing } = figures
    const cells = [elsewhere, sharing].flatMap(({ p95, sold, refused }) => [p95.toFixed(0), sold, refused])
    rows.push([name, health.toFixed(0), ...cells.map(String)])
    console.log(rows.at(-1)?.join(' | '))
  }
  const floods = names.map((name) => measured.get(name) as Figures)
  const idle = measured.get(IDLE) as Figures
  const within = (client: 'elsewhere' | 'sharing') =>
    floods.filter((each) => each[client].p95 <= MOST_TIMES_IDLE * idle[client].p95).length
  const outcome =
    `Health within ${MOST_HEALTH_MS} ms beside ${floods.filter(({ health }) => health < MOST_HEALTH_MS).length} of ` +
    `${floods.length} floods; paid calls within ${MOST_TIMES_IDLE} times idle beside ${within('elsewhere')} from another ` +
    `address, beside ${within('sharing')} from the flood's. ${machineLine()}; the service on one core, all else on another.`
  console.log(outcome)
  if (values.write) {
    writeFileSync(TABLE, csvTable(HEAD, rows))
    writeFileSync(PAGE, between(readFileSync(PAGE, 'utf8'), 'floods', outcome))
  }
} finally {
  await world.stop()
}

async function beside(name: string): Promise<Figures> {
  const service = await startOurs(world, { env: { RATE_LIMIT_UNPAID: '120' } })
  const sign = paymentSigner(await termsOf(service.port))
  const buyers = buyersOf(2)
  await measure(service.port, buyers, sign, 1_000)
  const flood =
    name === IDLE
      ? null
      : startPinned(LOAD_CORE, 'bench/floods/flooder.ts', { args: [String(service.port), name] })
  try {
    if (flood !== null) await nextMessage(flood)
    return await measure(service.port, buyers, sign, seconds * 1_000)
  } finally {
    await flood?.stop()
    await service.stop()
  }
}

async function measure(
  port: number,
  [first, second]: readonly Buyer[],
  sign: (buyer: Buyer) => PaymentPayload,
  milliseconds: number,
): Promise<Figures> {
  const until = performance.now() + milliseconds
  const repeat = async (act: () => Promise<void>) => {
    while (performance.now() < until) {
      await act()
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const askForHealth = async () => {
    const agent = agentOf(ADDRESSES.balancer)
    const times: number[] = []
    await repeat(async () => {
      const begun = performance.now()
      await ask(port, { agent, path: '/healthz' })
      times.push(performance.now() - begun)
    })
    agent.destroy()
    return p95(times)
  }
  const pay = async (buyer: Buyer, address: string): Promise<PaidCalls> => {
    const agent = agentOf(address)
    const times: number[] = []
    let refused = 0
    await repeat(async () => {
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': BODY.length,
        'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(sign(buyer))).toString('base64'),
      }
      const begun = performance.now()
      const status = await ask(port, { agent, path: '/api/validate/iban', method: 'POST', headers }, BODY)
      times.push(performance.now() - begun)
      if (status !== 200) refused += 1
    })
    agent.destroy()
    return { p95: p95(times), sold: times.length - refused, refused }
  }
  const [health, elsewhere, sharing] = await Promise.all([
    askForHealth(),
    pay(first as Buyer, ADDRESSES.elsewhere),
    pay(second as Buyer, ADDRESSES.sharing),
  ])
  return { health, elsewhere, sharing }
}

/** The status; 0 if there was no answer. */
async function ask(port: number, options: RequestOptions, body?: string): Promise<number> {
  const req = request({ host: '127.0.0.1', port, timeout: LONGEST_MS, ...options })
  req.on('timeout', () => req.destroy())
  try {
    req.end(body)
    const [res] = await once(req, 'response')
    res.resume()
    await once(res, 'end')
    return res.statusCode ?? 0
  } catch {
    return 0
  }
}

function p95(times: number[]): number {
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.95)] ?? 0
}
