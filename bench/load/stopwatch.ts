/** Processor time of another process, from the kernel's own account of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Linux counts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const MICROSECONDS_PER_TICK = 10_000

/** User and system time of a process with all its threads so far, in microseconds. */
export function processorTime(pid: number): number {
  return ticks(fieldsOf(pid), [11, 12]) * MICROSECONDS_PER_TICK
}

/** Fields of a process from its state on: times of its own are the 11th and 12th, of children that ended 13 and 14. */
function fieldsOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command's name in parentheses and may hold blanks.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const ticks = (fields: readonly string[], places: readonly number[]) =>
  places.reduce((sum, place) => sum + Number(fields[place]), 0)

/**
 * Starts to watch what others than this process and its descendants do; what is returned gives their share of the
 * machine's processor time since then, from 0 to 1. A virtual machine whose host is busy counts what it was kept from.
 */
export function watchOthers(): () => number {
  const begun = performance.now()
  const before = { machine: busyTime(), own: ownTime() }
  return () => {
    const elapsed = (performance.now() - begun) * 1_000 * availableParallelism()
    const spent = busyTime() - before.machine - (ownTime() - before.own)
    return Math.min(1, Math.max(0, spent / elapsed))
  }
}

/** Microseconds in which a processor of the machine did anything, or was taken away by the host. */
function busyTime(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * MICROSECONDS_PER_TICK
}

/** Processor time of this process and of all that it has started, what ended included, in microseconds. */
function ownTime(): number {
  const processes = new Map<number, readonly string[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      processes.set(Number(name), fieldsOf(Number(name)))
    } catch {
      // It ended since.
    }
  }
  const isOwn = (pid: number): boolean => {
    const fields = processes.get(pid)
    return pid === process.pid || (fields !== undefined && isOwn(Number(fields[1])))
  }
  return [...processes]
    .filter(([pid]) => isOwn(pid))
    .reduce((sum, [, fields]) => sum + ticks(fields, [11, 12, 13, 14]) * MICROSECONDS_PER_TICK, 0)
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
