/** Resident memory after many calls on every surface: what is kept per call would show. */
import type { Bench, RowPlan } from '../bench.ts'
import { callOf, type PaidSurface } from '../load/paid-request.ts'
import { termsOf } from '../load/recorded-answer.ts'
import { residentBytes } from '../load/stopwatch.ts'
import { bundleImage, type Program, SOURCES, startOurs } from '../servers/our-service.ts'

const SURFACES = ['rest', 'mcp', 'a2a'] as const satisfies readonly PaidSurface[]
const LONGEST_MS = 600_000
const CONNECTIONS = 16
/** Unpaid calls for each paid one. */
const UNPAID_PER_PAID = 9

export const memory: RowPlan = {
  id: 'memory',
  async run(bench) {
    const calls = bench.effort.payments * 25
    const image = await grow(bench, calls, bundleImage())
    const npmStart = await grow(bench, calls, SOURCES)
    const figuresOf = (how: string, { begin, early, late }: Growth) => [
      { name: `${how}, at the start`, other: `${begin} MB` },
      { name: `${how}, after ${calls / 10}`, other: `${early} MB` },
      { name: `${how}, after ${calls}`, other: `${late} MB` },
    ]
    return [
      {
        id: 'memory',
        work: `resident memory after ${calls} calls on each surface, a tenth of them paid`,
        figures: [...figuresOf('image', image), ...figuresOf('npm start', npmStart)],
        claims: [
          { what: 'MB, image', value: image.late, target: 180, side: 'at most' },
          { what: 'MB, npm start', value: npmStart.late, target: 270, side: 'at most' },
          {
            what: 'MB more over the last nine tenths, image',
            value: image.late - image.early,
            target: 15,
            side: 'at most',
          },
        ],
      },
    ]
  },
}

/** Resident memory in MB: of a new process, after a tenth of the calls, and after all. */
interface Growth {
  readonly begin: number
  readonly early: number
  readonly late: number
}

async function grow({ load, world, effort }: Bench, calls: number, program: Program): Promise<Growth> {
  const ours = await startOurs(world, { program })
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
  const required = await termsOf(ours.port)
  try {
    const begin = megabytes(ours.pid)
    const early = await call(calls / 10)
    return { begin, early, late: await call(calls - calls / 10) }
  } finally {
    await ours.stop()
  }
}

const megabytes = (pid: number): number => Math.round(residentBytes(pid) / 1e6)
