import type { PublicClient } from 'viem'
import type { CostBound } from './cost-bound.ts'
import { isLate, type PendingTransaction } from './settlement-journal.ts'
import {
  broadcast,
  CANCEL_DATA,
  callOf,
  contentOf,
  isNowhere,
  isSameContractCall,
  type Signing,
  signTransaction,
} from './settlement-transaction.ts'

interface Account extends Signing {
  readonly client: PublicClient
  readonly cost: Pick<CostBound, 'lower'>
  /** The account's next nonce, by the node. */
  readonly takenCount: () => Promise<number>
  readonly save: (pending: readonly PendingTransaction[]) => Promise<void>
  /** UTC seconds by the chain's clock. */
  readonly now: number
  /** Milliseconds before a transaction counts as late. */
  readonly replaceMs: number
}

/**
 * The journal without the transactions whose nonce is used: most of them were mined. One that is late and nowhere on the
 * chain lost its nonce to another program with the same key, and its call is sent under the next one. Until it is late it
 * stays, since a node may count a transaction before it can find it. Under the lock only.
 */
export async function withoutEnded(
  account: Account,
  journaled: readonly PendingTransaction[],
  mined: number,
): Promise<readonly PendingTransaction[]> {
  const ended = journaled.filter(({ nonce }) => nonce < mined)
  let pending = journaled.filter(({ nonce }) => nonce >= mined)
  for (const [index, each] of ended.entries()) {
    if (!isWanted(each, pending, account.now) || !(await isNowhere(account.client, each.hashes))) continue
    if (!isLate(each, account.replaceMs)) {
      pending = [...pending, each]
      continue
    }
    const { entry, raw } = await signUnderNextNonce(account, each, pending)
    pending = [...pending, entry]
    await account.save([...pending, ...ended.slice(index + 1)])
    await broadcast(account.client, raw)
  }
  if (ended.length > 0) await account.save(pending)
  return pending
}

function isWanted(
  { raw, expiresAt }: PendingTransaction,
  pending: readonly PendingTransaction[],
  now: number,
): boolean {
  const call = callOf(raw)
  const isOver = call.data === CANCEL_DATA || expiresAt <= now
  return !isOver && !pending.some((other) => isSameContractCall(callOf(other.raw), call))
}

async function signUnderNextNonce(
  account: Account,
  lost: PendingTransaction,
  pending: readonly PendingTransaction[],
) {
  const { call, gas } = contentOf(lost.raw)
  const fees = account.cost.lower(await account.client.estimateFeesPerGas(), { call, gas })
  const nonce = Math.max(await account.takenCount(), ...pending.map((other) => other.nonce + 1))
  const replaces = lost.hashes.at(-1)
  const { raw, hash } = await signTransaction(account, {
    nonce,
    gas,
    fees,
    call,
    ...(replaces === undefined ? {} : { replaces }),
  })
  return { raw, entry: { ...lost, nonce, raw, hashes: [...lost.hashes, hash], sentAt: Date.now() } }
}
