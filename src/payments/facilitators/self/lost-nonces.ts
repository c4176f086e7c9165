import type { PublicClient, TransactionReceipt } from 'viem'
import { partsOf } from './aggregate.ts'
import type { CostBound } from './cost-bound.ts'
import type { DataFee } from './data-fee.ts'
import type { QueueClock } from './queue-clock.ts'
import { isLate, newestHash, type PendingTransaction } from './settlement-journal.ts'
import {
  broadcast,
  CANCEL_DATA,
  callOf,
  carries,
  contentOf,
  findReceipt,
  isNowhere,
  type Signing,
  signTransaction,
} from './settlement-transaction.ts'
import { reserveName, type Treasury } from './treasury.ts'

interface Account extends Signing {
  readonly client: PublicClient
  readonly cost: Pick<CostBound, 'lower'>
  readonly dataFee: DataFee
  readonly clock: QueueClock
  /** The account's next nonce, by the node, and the next of which none is mined. */
  readonly takenCount: () => Promise<number>
  readonly minedCount: () => Promise<number>
  readonly save: (pending: readonly PendingTransaction[]) => Promise<void>
  /** Books what was mined under the nonce of a transaction. */
  readonly book: (mined: PendingTransaction, receipt: TransactionReceipt) => Promise<unknown>
  readonly treasury?: Treasury
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
    const receipt = await findReceipt(account.client, each.hashes)
    const isBooked = receipt !== undefined && (await account.book(each, receipt).then(isDone, isFailed))
    if (isBooked) continue
    const isUnknown = () =>
      isNowhere(account.client, each.hashes)
        // A node that fell behind meanwhile knows neither the transaction nor that its nonce is used.
        .then(async (nowhere) => nowhere && (await account.minedCount()) > each.nonce)
        .catch(isFailed)
    const nowhere =
      receipt === undefined && isLate(each, account.replaceMs, account.clock.now()) && (await isUnknown())
    // What cannot be booked, or is unclear since the node does not answer, stays for the next look and holds up no other.
    if (!nowhere) {
      pending = [...pending, each]
      continue
    }
    await account.treasury?.forget(reserveName(account.account.address, each.nonce))
    if (!isWanted(each, pending, account.now)) continue
    const { entry, raw } = await signUnderNextNonce(account, each, pending)
    pending = [...pending, entry]
    await account.save([...pending, ...ended.slice(index + 1)])
    await broadcast(account.client, raw)
  }
  if (ended.length > 0) await account.save(pending)
  return pending
}

const isDone = () => true
const isFailed = () => false

function isWanted(
  { raw, expiresAt }: PendingTransaction,
  pending: readonly PendingTransaction[],
  now: number,
): boolean {
  const call = callOf(raw)
  const isOver = call.data === CANCEL_DATA || expiresAt <= now
  return !isOver && !partsOf(call).every((part) => pending.some((other) => carries(other.raw, part)))
}

async function signUnderNextNonce(
  account: Account,
  lost: PendingTransaction,
  pending: readonly PendingTransaction[],
) {
  const { call, gas } = contentOf(lost.raw)
  const dataFee = await account.dataFee.before(call.data, gas)
  const fees = account.cost.lower(await account.client.estimateFeesPerGas(), { call, gas, dataFee })
  const nonce = Math.max(await account.takenCount(), ...pending.map((other) => other.nonce + 1))
  // It was admitted under the nonce that is lost, so it is not refused again.
  await account.treasury?.reserve(reserveName(account.account.address, nonce), { kind: 'upkeep' }, 0n)
  const replaces = newestHash(lost)
  const { raw, hash } = await signTransaction(account, { nonce, gas, fees, call, replaces })
  return { raw, entry: { ...lost, nonce, raw, hashes: [...lost.hashes, hash], sentAt: account.clock.now() } }
}
