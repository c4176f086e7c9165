import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// anvil-keeper.sh uses the same names.
const runningFile = (home: string) => join(home, 'chain-running')
const logFile = (home: string) => join(home, 'chain.log')

const LEAVE_TIMEOUT_MS = 10_000

export class HomeInUse extends Error {
  override readonly name = 'HomeInUse'
}

/** Where anvil loads the chain from and saves it to. */
export const stateFile = (home: string) => join(home, 'chain-state.json')

/** Waits for an earlier anvil on this directory to end; discards a state that was not saved at its end. */
export async function claimHome(home: string): Promise<void> {
  const running = runningFile(home)
  for (let waited = 0; existsSync(running) && isAnvilOf(home, running); waited += 50) {
    if (waited >= LEAVE_TIMEOUT_MS) throw new HomeInUse(`another sandbox is using ${home}`)
    await sleep(50)
  }
  if (!existsSync(running)) return
  rmSync(running)
  rmSync(stateFile(home), { force: true })
}

/** After a reboot, or in a new container, the process id may be that of another program; its arguments tell them apart. */
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
  return existsSync(logFile(home)) ? readFileSync(logFile(home), 'utf8').slice(-500).trim() : 'no output'
}
