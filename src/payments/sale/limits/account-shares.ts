import { inFlightMap } from '../../../caches/in-flight-map.ts'
import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'

export const accountOf = ({ network, asset, payer }: PaymentKey): string => `${network}/${asset}/${payer}`

/** What the settlements under way of each payer will take from its account, in this process. */
export interface AccountShares {
  /**
   * Counts a settlement as under way until the result is called. Null if the account does not cover it beside the
   * payer's others: it would revert, at the cost of the account that pays the gas.
   *
   * @param amount - atomic units
   * @param readBalance - asked only if others are under way; null if the node does not answer, which is no reason to
   * refuse
   */
  take(
    account: string,
    amount: bigint,
    readBalance: () => Promise<bigint | null>,
  ): Promise<(() => void) | null>
}

interface Account {
  settlements: number
  /** Atomic units. */
  underWay: bigint
  /** What the last balance leaves for further ones. */
  left: bigint
  /** Monotonic milliseconds. */
  readAt: number
  reading: Promise<bigint | null> | null
}

/** How long a balance is relied on: a busy payer costs the node one question in this time. */
const BALANCE_MS = 10_000

export function createAccountShares(monotonicMs: () => number = () => performance.now()): AccountShares {
  const accounts = inFlightMap<Account>()

  const covers = ({ left, readAt }: Account, amount: bigint) =>
    amount <= left && monotonicMs() - readAt < BALANCE_MS

  const readTogether = (account: Account, readBalance: () => Promise<bigint | null>) => {
    account.reading ??= readBalance().finally(() => {
      account.reading = null
    })
    return account.reading
  }

  const enter = (name: string, amount: bigint): (() => void) => {
    const account = accounts.get(name) ?? { settlements: 0, underWay: 0n, left: 0n, readAt: 0, reading: null }
    accounts.set(name, account)
    account.settlements += 1
    account.underWay += amount
    account.left -= amount
    return () => {
      account.settlements -= 1
      account.underWay -= amount
      if (account.settlements === 0) accounts.delete(name)
    }
  }

  return {
    async take(name, amount, readBalance) {
      const seen = accounts.get(name)
      if (seen === undefined || covers(seen, amount)) return enter(name, amount)
      const balance = await readTogether(seen, readBalance)
      const account = accounts.get(name)
      if (balance !== null && account !== undefined) {
        account.left = balance - account.underWay
        account.readAt = monotonicMs()
        if (account.left < amount) return null
      }
      return enter(name, amount)
    },
  }
}
