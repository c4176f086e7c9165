import type { TransactionReceipt } from 'viem'
import { CANCEL_DATA } from '../../../chain/contract-call.ts'
import { partsOf } from '../../../chain/settlement-calls.ts'
import {
  broadcast,
  callOf,
  carries,
  contentOf,
  findReceipt,
  isNowhere,
  signTransaction,
} from '../transaction/settlement-transaction.ts'
import { reserveName } from '../treasury/treasury.ts'
import type { SettlementAccount } from './replacement.ts'
import { isLate, newestHash, type PendingTransaction, unmined } from './settlement-journal.ts'

export interface QueueAccount extends SettlementAccount {
  /** The account's next nonce after all that the node has, pending ones included. */
  readonly takenCount: () => Promise<number>
  /** The account's first nonce that is not mined. */
  readonly minedCount: () => Promise<number>
  readonly save: (pending: readonly PendingTransaction[]) => Promise<void>
  readonly book: (mined: PendingTransaction, receipt: TransactionReceipt) => Promise<unknown>
  /** Milliseconds before a transaction counts as late. */
  readonly replaceMs: number
  /** Blocks on top of one that no reorganisation takes back any more. */
  readonly finalityDepth: bigint
}

/**
 * Returns the journal without the transactions whose nonce is used for good; to be called under the lock.
 *
 * Most of them were mined. They stay until their block is final: if a reorganisation takes it back, they are offered again,
 * since their payments may have been answered. One that is late and unknown to the node lost its nonce to another program
 * with the same key, and its call is signed again under the next nonce. Until it is late it stays: a node may count a
 * transaction before it can find it.
 */
export async function withoutEnded(
  account: QueueAccount,
  journaled: readonly PendingTransaction[],
  mined: number,
  head: { readonly number: number; readonly time: number },
): Promise<readonly PendingTransaction[]> {
  const ended = journaled.filter(({ nonce }) => nonce < mined)
  let pending = journaled.filter(({ nonce }) => nonce >= mined).map(unmined)
  const isFinal = (block: number) => block + Number(account.finalityDepth) <= head.number
  for (const [index, each] of ended.entries()) {
    if (each.minedIn !== undefined && !isFinal(each.minedIn)) {
      pending = [...pending, each]
      continue
    }
    const receipt = await findReceipt(account.client, each.hashes)
    const isBooked = receipt !== undefined && (await account.book(each, receipt).then(isDone, isFailed))
    if (isBooked) {
      const minedIn = Number(receipt.blockNumber)
      if (!isFinal(minedIn)) pending = [...pending, { ...each, minedIn }]
      continue
    }
    // What cannot be booked, is unclear since the node does not answer, or is too expensive to be signed again, stays for the
    // next look and holds up no other.
    if (receipt !== undefined || !(await hasLostNonce(account, each).catch(isFailed))) {
      pending = [...pending, each]
      continue
    }
    if (!isWanted(each, [...pending, ...ended.slice(index + 1)], head.time)) {
      await account.treasury?.forget(reserveName(account.account.address, each.nonce))
      continue
    }
    const again = await signUnderNextNonce(account, each, pending).catch(() => undefined)
    pending = [...pending, again ?? each]
    if (again === undefined) continue
    await account.save([...pending, ...ended.slice(index + 1)])
    await broadcast(account.client, again.raw)
  }
  if (ended.length > 0) await account.save(pending)
  return pending
}

const isDone = () => true
const isFailed = () => false

/** Whether another transaction was mined under its nonce; rejects if the node does not answer. */
async function hasLostNonce(account: QueueAccount, late: PendingTransaction): Promise<boolean> {
  if (!isLate(late, account.replaceMs, account.clock.now())) return false
  if (!(await isNowhere(account.client, late.hashes))) return false
  // Asked again: a node that fell behind meanwhile knows neither the transaction nor that its nonce is used.
  return (await account.minedCount()) > late.nonce
}

function isWanted(
  { raw, expiresAt }: PendingTransaction,
  others: readonly PendingTransaction[],
  now: number,
): boolean {
  const call = callOf(raw)
  const isOver = call.data === CANCEL_DATA || expiresAt <= now
  return !isOver && !partsOf(call).every((part) => others.some((other) => carries(other.raw, part)))
}

async function signUnderNextNonce(
  account: QueueAccount,
  lost: PendingTransaction,
  pending: readonly PendingTransaction[],
): Promise<PendingTransaction> {
  const { call, gas } = contentOf(lost.raw)
  const dataFee = await account.dataFee.before(call.data, gas)
  const fees = account.cost.lower(await account.client.estimateFeesPerGas(), { call, gas, dataFee })
  const nonce = Math.max(await account.takenCount(), ...pending.map((other) => other.nonce + 1))
  const nameOf = (each: number) => reserveName(account.account.address, each)
  // It was admitted under the lost nonce, so it must not be refused now.
  if ((await account.treasury?.move(nameOf(lost.nonce), nameOf(nonce))) === false) {
    const worst = account.cost.worstOf(fees, { call, gas, dataFee })
    await account.treasury?.reserve(nameOf(nonce), { kind: 'upkeep' }, worst)
  }
  const replaces = newestHash(lost)
  const { raw, hash } = await signTransaction(account, { nonce, gas, fees, call, replaces })
  return { ...unmined(lost), nonce, raw, hashes: [...lost.hashes, hash], sentAt: account.clock.now() }
}
