/** Processor time of another process, from the kernel's own account of it. */
import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const MICROSECONDS_PER_TICK = 10_000

/** User and system time of a process with all its threads so far, in microseconds. */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command's name in parentheses and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
