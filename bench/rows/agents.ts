/** Calls over MCP and A2A, unpaid and paid, beside the SDKs' own minimal servers, which take no payment. */
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare } from '../compare.ts'
import { MESSAGES } from '../load/in-band.ts'
import { callOf } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { costClaim, figuresOf, rateClaim } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { startOurs, startServer } from '../servers/our-service.ts'

const CONNECTIONS = 16
const LONGEST_MS = 60_000

/** `price` is how much of the processor time of a paid call over REST the protocol may cost. */
const SURFACES = {
  mcp: { server: 'mcp-sdk.ts', peer: 'MCP SDK, minimal, no payment', unpaid: 200, price: 1.4 },
  a2a: { server: 'a2a-sdk.ts', peer: 'A2A SDK, minimal, no payment', unpaid: 402, price: 1.8 },
} as const
/** The same of a message of a purchase in band. */
const IN_BAND_PRICE = 2
const OVER_REST = 'ours over REST'

const planFor = (surface: keyof typeof SURFACES): RowPlan => ({
  id: surface,
  run: (bench) => measure(bench, surface),
})

export const mcp = planFor('mcp')
export const a2a = planFor('a2a')

async function measure({ load, world, effort }: Bench, surface: 'mcp' | 'a2a'): Promise<readonly Row[]> {
  const { server, peer, unpaid, price } = SURFACES[surface]
  const ours = await startOurs(world)
  const sdk = await startServer(server)
  const required = await termsOf(ours.port)
  const fixed = { kind: 'fixed' as const, bytes: callOf(surface).toString('base64') }
  const limits = { connections: CONNECTIONS, milliseconds: effort.milliseconds }
  const theirs: Contender = {
    name: peer,
    pid: sdk.pid,
    job: { ...limits, port: sdk.port, expected: 200, source: fixed },
  }
  const own = (job: Pick<Contender['job'], 'expected' | 'source' | 'milliseconds'>): Contender => ({
    name: 'ours',
    pid: ours.pid,
    job: { ...limits, port: ours.port, ...job },
  })
  try {
    const rows: Row[] = []
    const count = Math.ceil(effort.payments / 2)
    const paid = { kind: 'paid' as const, surface, count, required, payers: 64 }
    const asked = own({ expected: unpaid, source: fixed, milliseconds: effort.milliseconds })
    const free = await compare(load, [asked, theirs], effort.rounds)
    rows.push({
      id: `${surface}-unpaid`,
      work: `${surface.toUpperCase()} call, unpaid`,
      figures: figuresOf(free),
      claims: rateClaim(free, peer, 1),
    })
    const bought = own({ expected: 200, source: paid, milliseconds: LONGEST_MS })
    const rest = { ...own({ ...bought.job, source: { ...paid, surface: 'rest' } }), name: OVER_REST }
    const sold = await compare(load, [bought, rest, theirs], effort.rounds)
    rows.push({
      id: `${surface}-paid`,
      work: `${surface.toUpperCase()} call, paid`,
      figures: figuresOf(sold),
      claims: [costClaim(sold, OVER_REST, price), ...rateClaim(sold, peer)],
    })
    if (surface === 'a2a') {
      const inBand = { kind: 'in_band' as const, count: Math.ceil(count / MESSAGES), required, payers: 64 }
      const paying = own({ expected: 200, source: inBand, milliseconds: LONGEST_MS })
      const bands = await compare(load, [paying, rest], effort.rounds)
      rows.push({
        id: 'a2a-in-band',
        work: 'A2A purchase in band, per message of two',
        figures: figuresOf(bands),
        claims: [costClaim(bands, OVER_REST, IN_BAND_PRICE, MESSAGES)],
      })
    }
    return rows
  } finally {
    await Promise.all([ours.stop(), sdk.stop()])
  }
}
