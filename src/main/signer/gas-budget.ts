import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { DAY_MS } from '../../ledger/utc-days.ts'

export interface GasBudget {
  /** Counts what a transaction may cost, in wei; false, and nothing is counted, if the UTC day has no room for it. */
  take(worst: bigint): boolean
  /** Whether something was refused today. */
  isSpent(): boolean
}

/**
 * What transactions may cost in a UTC day. The sum is on disk before a transaction is signed, so a restart forgets
 * nothing; a file that cannot be read stops the start. A clock that goes back opens no day again.
 */
export function openGasBudget(path: string, perDay: bigint, now: () => number): GasBudget {
  let { day, spent } = load(path)
  let refusedOn = -1
  const today = () => Math.max(day, Math.floor(now() / DAY_MS))
  return {
    take: (worst) => {
      const sum = (today() === day ? spent : 0n) + worst
      if (sum > perDay) {
        refusedOn = today()
        return false
      }
      const next = { day: today(), spent: sum }
      writeFileSync(`${path}.new`, JSON.stringify({ day: next.day, spent: `${sum}` }), {
        mode: 0o600,
        flush: true,
      })
      renameSync(`${path}.new`, path)
      ;({ day, spent } = next)
      return true
    },
    isSpent: () => refusedOn === today(),
  }
}

function load(path: string): { day: number; spent: bigint } {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { day: 0, spent: 0n }
    throw error
  }
  const { day, spent } = JSON.parse(text) as { day: number; spent: string }
  return { day, spent: BigInt(spent) }
}
