/** Calls over MCP and A2A, unpaid and paid, beside the SDKs' own minimal servers, which take no payment. */
import type { Bench, RowPlan } from '../bench.ts'
import { type Contender, compare } from '../compare.ts'
import { callOf } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { figuresOf, rateClaim } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { startOurs, startServer } from '../servers/our-service.ts'

const CONNECTIONS = 16
const LONGEST_MS = 60_000

const SURFACES = {
  mcp: { server: 'mcp-sdk.ts', peer: 'MCP SDK, minimal, no payment', unpaid: 200 },
  a2a: { server: 'a2a-sdk.ts', peer: 'A2A SDK, minimal, no payment', unpaid: 402 },
} as const

const planFor = (surface: keyof typeof SURFACES): RowPlan => ({
  id: surface,
  run: (bench) => measure(bench, surface),
})

export const mcp = planFor('mcp')
export const a2a = planFor('a2a')

async function measure({ load, world, effort }: Bench, surface: 'mcp' | 'a2a'): Promise<readonly Row[]> {
  const { server, peer, unpaid } = SURFACES[surface]
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
    for (const [kind, contender] of [
      ['unpaid', own({ expected: unpaid, source: fixed, milliseconds: effort.milliseconds })],
      ['paid', own({ expected: 200, source: paid, milliseconds: LONGEST_MS })],
    ] as const) {
      const series = await compare(load, [contender, theirs], effort.rounds)
      rows.push({
        id: `${surface}-${kind}`,
        work: `${surface.toUpperCase()} call, ${kind}`,
        figures: figuresOf(series),
        claims: rateClaim(series, peer, 0.7),
      })
    }
    return rows
  } finally {
    await Promise.all([ours.stop(), sdk.stop()])
  }
}
