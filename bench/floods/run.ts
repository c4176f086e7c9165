/**
 * `npm run floods`: how long health and a paid call take beside each flood of one address, and idle. All of them take some
 * eight minutes.
 *
 * The service has a core, everything else the other. `--only PART` picks shapes by a part of their name; `--seconds N`;
 * `--write` puts the table into docs/security.md. The paying client shares the flood's address, the balancer that asks for
 * health has its own.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:http'
import { parseArgs } from 'node:util'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { IBAN } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { type Buyer, buyersOf, paymentSigner } from '../load/sign-payments.ts'
import { LOAD_CORE, nextMessage, startPinned } from '../processes.ts'
import { machineLine } from '../report/machine.ts'
import { startOurs, startWorld } from '../servers/our-service.ts'
import { shapesFor } from './shapes.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const PAUSE_MS = 20
/** A request that takes longer counts as this long. */
const LONGEST_MS = 20_000

interface Figures {
  readonly health: number
  readonly paid: number
  readonly sold: number
  readonly refused: number
}

const IDLE = 'none'
const MOST_HEALTH_MS = 200
const MOST_TIMES_IDLE = 3
const PAGE = new URL('../../docs/security.md', import.meta.url)

const names = shapesFor({} as PaymentRequirements)
  .map(({ name }) => name)
  .filter((name) => name.includes(values.only))
const lines: string[] = []
const say = (line: string) => {
  console.log(line)
  lines.push(line)
}
const world = await startWorld()
try {
  say('| flood | healthz p95 ms | paid p95 ms | paid | refused |')
  say('|---|---|---|---|---|')
  const measured = new Map<string, Figures>()
  for (const name of [IDLE, ...names]) {
    const figures = await beside(name)
    measured.set(name, figures)
    const { health, paid, sold, refused } = figures
    say(`| ${name} | ${health.toFixed(0)} | ${paid.toFixed(0)} | ${sold} | ${refused} |`)
  }
  const floods = names.map((name) => measured.get(name) as Figures)
  const idlePaid = (measured.get(IDLE) as Figures).paid
  const [prompt, paying] = [
    floods.filter(({ health }) => health < MOST_HEALTH_MS),
    floods.filter(({ paid }) => paid <= MOST_TIMES_IDLE * idlePaid),
  ]
  say('')
  say(
    `Health within ${MOST_HEALTH_MS} ms beside ${prompt.length} of ${floods.length} floods, paid calls within ` +
      `${MOST_TIMES_IDLE} times idle beside ${paying.length}. ${machineLine()}; the service on one core, all else on another.`,
  )
  if (values.write) writeTable()
} finally {
  await world.stop()
}

function writeTable(): void {
  const region = /(<!-- begin: floods -->\n)[\s\S]*(<!-- end: floods -->)/
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    page.replace(region, (_, begin, end) => `${begin}\n${lines.join('\n')}\n\n${end}`),
  )
}

async function beside(name: string): Promise<Figures> {
  const service = await startOurs(world, { env: { RATE_LIMIT_UNPAID: '120' } })
  const sign = paymentSigner(await termsOf(service.port))
  const [buyer] = buyersOf(1)
  await measure(service.port, buyer as Buyer, sign, 1_000)
  const flood =
    name === IDLE
      ? null
      : startPinned(LOAD_CORE, 'bench/floods/flooder.ts', { args: [String(service.port), name] })
  try {
    if (flood !== null) await nextMessage(flood)
    return await measure(service.port, buyer as Buyer, sign, seconds * 1_000)
  } finally {
    await flood?.stop()
    await service.stop()
  }
}

async function measure(
  port: number,
  buyer: Buyer,
  sign: (buyer: Buyer) => PaymentPayload,
  milliseconds: number,
): Promise<Figures> {
  const until = performance.now() + milliseconds
  const health: number[] = []
  const paid: number[] = []
  let refused = 0
  const balancer = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.0.2' })
  const client = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = JSON.stringify({ value: IBAN })
  const repeat = async (act: () => Promise<void>) => {
    while (performance.now() < until) {
      await act()
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await Promise.all([
    repeat(async () => {
      const begun = performance.now()
      await ask(port, { agent: balancer, path: '/healthz' })
      health.push(performance.now() - begun)
    }),
    repeat(async () => {
      const header = Buffer.from(JSON.stringify(sign(buyer))).toString('base64')
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'PAYMENT-SIGNATURE': header,
      }
      const begun = performance.now()
      const status = await ask(
        port,
        { agent: client, path: '/api/validate/iban', method: 'POST', headers },
        body,
      )
      paid.push(performance.now() - begun)
      if (status !== 200) refused += 1
    }),
  ])
  balancer.destroy()
  client.destroy()
  return { health: p95(health), paid: p95(paid), sold: paid.length - refused, refused }
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
