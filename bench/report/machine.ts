import { cpus, totalmem } from 'node:os'

/** What the figures were measured on, in one line. */
export function machineLine(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `Node ${process.versions.node}, ${cpus().length} x ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes} GiB`
}
