import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../catalog/startup-error.ts'

// anvil-keeper.ts uses the same names.
const runningFile = (home: string) => join(home, 'chain-running')
const logFile = (home: string) => join(home, 'chain.log')

const LEAVE_TIMEOUT_MS = 10_000

export class HomeInUse extends StartupError {}

export const stateFile = (home: string) => join(home, 'chain-state.json')

/** Waits for an earlier anvil on this directory to end; discards a state that was not saved at its end. */
export async function claimHome(home: string): Promise<void> {
  const running = runningFile(home)
  for (let waited = 0; existsSync(running) && isAnvilOf(home, running); waited += 50) {
    if (waited >= LEAVE_TIMEOUT_MS)
      throw new HomeInUse(`another sandbox is using ${home}; if none is, remove ${running}`)
    await sleep(50)
  }
  if (!existsSync(running)) return
  rmSync(running)
  rmSync(stateFile(home), { force: true })
}

/**
 * After a reboot the process id may be another program's; its arguments tell them apart. Without /proc (macOS, Windows)
 * the start ends, and chain-running must be removed by hand.
 */
function isAnvilOf(home: string, running: string): boolean {
  try {
    const pid = Number(readFileSync(running, 'utf8'))
    if (!isAlive(pid)) return false
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home)
  } catch {
    // It ended meanwhile.
    return false
  }
}

/** Called if no chain came up: the state saved before is still valid. */
export function releaseHome(home: string): void {
  rmSync(runningFile(home), { force: true })
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export function logTail(home: string): string {
  const said = existsSync(logFile(home)) ? readFileSync(logFile(home), 'utf8') : ''
  return said.slice(-500).trim().replace(/\s+/g, ' ') || 'no output'
}
