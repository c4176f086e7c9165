import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Fault, Run } from './cases.ts'
import { type Event, record } from './recording.ts'

export interface Recorded {
  readonly events: readonly Event[]
  /** The first event after the fault of the first run; null without a fault. */
  readonly faultAt: number | null
}

/** Runs the programs of a case under the recorder, on the files in `root`. Throws if the case was not met. */
export async function recordCase(each: Case, folder: string, root: string): Promise<Recorded> {
  const run = async ({ program, args = [] }: Run, inject: readonly string[] = []) =>
    record({
      command: [
        process.execPath,
        join(import.meta.dirname, 'programs', `${program}.ts`),
        ...[root, join(folder, 'told'), ...args],
      ],
      env: { TMPDIR: root },
      isSilent: program === 'reader',
      ...{
        trace: join(folder, 'trace'),
        told: join(folder, 'told'),
        inject: [...(each.inject ?? []), ...inject],
      },
    })
  const [first, ...others] = each.runs
  if (first === undefined) throw new Error('a case without a program')
  mkdirSync(root)
  let inject: readonly string[] = []
  if (each.fault !== undefined) {
    // The calls of a program are the same each time: this run shows which of them the fault is for.
    inject = [injection(each.fault, await run(first))]
    rmSync(root, { recursive: true })
    mkdirSync(root)
  }
  const runs = [await run(first, inject)]
  if (each.fault !== undefined && !isMet(each.fault, runs.flat()))
    throw new Error(`${each.name}: the fault met another call`)
  for (const other of others) runs.push(await run(other))
  if (each.meets?.(runs) === false) throw new Error(`${each.name}: the case was not met`)
  let before = 0
  const events = runs.flatMap((events) => {
    const shifted = events.map((event) =>
      event.kind === 'sync' ? { ...event, begun: event.begun + before } : event,
    )
    before += events.length
    return shifted
  })
  return { events, faultAt: each.fault === undefined ? null : (runs[0]?.length ?? 0) }
}

const syncsOf = (events: readonly Event[], call: string) =>
  events.filter((event) => event.kind === 'sync').filter((event) => event.call === call)

function injection({ call, of, part, act, behind }: Fault, events: readonly Event[]): string {
  const syncs = syncsOf(events, call)
  let since = 0
  const due = syncs.filter(({ path }) => {
    if (behind?.test(path)) since = 0
    if (!of.test(path)) return false
    since += 1
    return behind === undefined || since === 3
  })
  const target = due[Math.floor(due.length * part)]
  if (target === undefined) throw new Error(`no flush of ${of}`)
  return `${call}:${act}:when=${syncs.indexOf(target) + 1}`
}

/** A flush that failed is the last of its program's calls that change a file; one of a killed program has not ended. */
function isMet({ call, of, act }: Fault, events: readonly Event[]): boolean {
  if (act === 'error=EIO:signal=KILL') {
    const last = events.findLast(({ kind }) => kind !== 'told')
    return last?.kind === 'rename' || last?.kind === 'remove' || (last?.kind === 'sync' && !last.isDone)
  }
  const failed = syncsOf(events, call).filter(({ isDone }) => !isDone)
  return failed.length === 1 && failed.every(({ path }) => of.test(path))
}
