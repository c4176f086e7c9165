import { writeFileSync } from 'node:fs'
import { readText } from '../../files/key-file.ts'
import { placeFile } from '../../files/place-file.ts'
import { DAY_MS } from '../../values/utc-days.ts'

export interface DayBudget {
  /** Counts an amount; counts nothing and returns false if that passes the budget. */
  take(amount: bigint): boolean
  isSpent(): boolean
}

/**
 * Bounds what is signed away in a UTC day. The sum is on disk before anything is signed, so a restart forgets nothing; throws if the file cannot be read. A clock that goes back starts no day again.
 */
export function openDayBudget(path: string, perDay: bigint, now: () => number): DayBudget {
  let counted = load(path)
  let refusedOn = -1
  const today = () => Math.max(counted.day, Math.floor(now() / DAY_MS))
  return {
    take: (amount) => {
      const day = today()
      const spent = (day === counted.day ? counted.spent : 0n) + amount
      if (spent > perDay) {
        refusedOn = day
        return false
      }
      writeFileSync(`${path}.new`, JSON.stringify({ day, spent: `${spent}` }), { mode: 0o600, flush: true })
      placeFile(`${path}.new`, path, { replaces: true })
      counted = { day, spent }
      return true
    },
    isSpent: () => refusedOn === today(),
  }
}

function load(path: string): { day: number; spent: bigint } {
  const { day, spent } = JSON.parse(readText(path) ?? '{"day":0,"spent":"0"}') as {
    day: number
    spent: string
  }
  return { day, spent: BigInt(spent) }
}
