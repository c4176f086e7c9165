/** Resident memory after many calls on every surface: what is kept per call would show. */
import type { RowPlan } from '../bench.ts'
import { callOf, type PaidSurface } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { residentBytes } from '../load/stopwatch.ts'
import { startOurs } from '../servers/our-service.ts'

const SURFACES = ['rest', 'mcp', 'a2a'] as const satisfies readonly PaidSurface[]
const LONGEST_MS = 600_000
const CONNECTIONS = 16
/** Unpaid calls for each paid one. */
const UNPAID_PER_PAID = 9

export const memory: RowPlan = {
  id: 'memory',
  async run({ load, world, effort }) {
    const most = effort.payments * 25
    const ours = await startOurs(world)
    const required = await termsOf(ours.port)
    const begin = megabytes(ours.pid)

    /** That many calls on each surface, a tenth of them paid. */
    const call = async (count: number) => {
      for (const surface of SURFACES) {
        const paid = Math.ceil(count / (UNPAID_PER_PAID + 1))
        const job = { port: ours.port, connections: CONNECTIONS, milliseconds: LONGEST_MS }
        const bytes = callOf(surface).toString('base64')
        const unpaid = { kind: 'fixed' as const, bytes, count: count - paid }
        await load.drive(ours.pid, { ...job, expected: surface === 'mcp' ? 200 : 402, source: unpaid })
        for (let left = paid; left > 0; left -= effort.payments) {
          const batch = Math.min(left, effort.payments)
          const source = { kind: 'paid' as const, surface, count: batch, required, payers: 64 }
          await load.drive(ours.pid, { ...job, expected: 200, source })
        }
      }
      return megabytes(ours.pid)
    }
    try {
      const early = await call(most / 10)
      const late = await call(most - most / 10)
      return [
        {
          id: 'memory',
          work: `resident memory after ${most} calls on each surface, a tenth of them paid`,
          figures: [
            { name: 'at the start', other: `${begin} MB` },
            { name: `after ${most / 10}`, other: `${early} MB` },
            { name: `after ${most}`, other: `${late} MB` },
          ],
          claims: [
            { what: 'MB', value: late, target: 250, side: 'at most' },
            { what: 'growth over the last nine tenths', value: late / early, target: 1.05, side: 'at most' },
          ],
        },
      ]
    } finally {
      await ours.stop()
    }
  },
}

const megabytes = (pid: number): number => Math.round(residentBytes(pid) / 1e6)
