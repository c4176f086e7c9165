import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { portsFolder } from './ports.ts'

/** Where Node keeps compiled modules: every process that a test starts would compile the same ones again. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/** Gives the run an id that its worker processes inherit, and removes what the run claimed when it ends. */
export function setup(): () => void {
  const run = String(process.pid)
  process.env.FORMAT_CHECKER_TEST_RUN = run
  process.env.NODE_COMPILE_CACHE ??= COMPILED
  rmSync(portsFolder(run), { recursive: true, force: true })
  return () => rmSync(portsFolder(run), { recursive: true, force: true })
}
