import { rmSync } from 'node:fs'
import { portsFolder } from './ports.ts'

/** Gives the run an id that its worker processes inherit, and removes what the run claimed when it ends. */
export function setup(): () => void {
  const run = String(process.pid)
  process.env.FORMAT_CHECKER_TEST_RUN = run
  rmSync(portsFolder(run), { recursive: true, force: true })
  return () => rmSync(portsFolder(run), { recursive: true, force: true })
}
