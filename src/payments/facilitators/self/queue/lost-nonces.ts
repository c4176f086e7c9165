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
  /** After all that the node has, pending ones included. */
  readonly takenCount: () => Promise<number>
  readonly minedCount: () => Promise<number>
  readonly save: (pending: readonly PendingTransaction[]) => Promise<void>
  readonly book: (mined: PendingTransaction, receipt: TransactionReceipt) => Promise<unknown>
  /** Milliseconds before a transaction counts as late. */
  readonly replaceMs: number
  readonly finalityDepth: bigint
}

/**
 * Call it under the lock. A mined transaction stays until its block is final: a reorganisation may take it back, and
 * its payments may have been answered. A late one that the node does not know lost its nonce to another program with
 * the same key, and is signed again under the next nonce. Until it is late it stays: a node may count a transaction
 * before it can find it.
 */
export async function withoutEnded(
  account: QueueAccount,
  journaled: readonly PendingTransaction[],
  mined: number,
  head: { readonly number: number; readonly time: number },
): Promise<readonly PendingTransaction[]> {
  const ended = journaled.filter(({ nonce }) => nonce < mined)
  let pending: readonly PendingTransaction[] = journaled.filter(({ nonce }) => nonce >= mined).map(unmined)
  for (const [index, each] of ended.entries()) {
    const outcome = await outcomeOf(account, each, head.number)
    const rest = ended.slice(index + 1)
    if (outcome.kind === 'stays') pending = [...pending, outcome.entry]
    if (outcome.kind === 'lost_nonce')
      pending = await replaceLost(account, each, { pending, rest, now: head.time })
  }
  if (ended.length > 0) await account.save(pending)
  return pending
}

/** What became of a transaction whose nonce is used. */
type Outcome =
  | { readonly kind: 'final' }
  /** Not final, not booked, or unclear since the node does not answer: the next look decides, and it holds up no other. */
  | { readonly kind: 'stays'; readonly entry: PendingTransaction }
  | { readonly kind: 'lost_nonce' }

async function outcomeOf(account: QueueAccount, each: PendingTransaction, head: number): Promise<Outcome> {
  const isFinal = (block: number) => block + Number(account.finalityDepth) <= head
  const stays = (entry: PendingTransaction) => ({ kind: 'stays', entry }) as const
  if (each.minedIn !== undefined && !isFinal(each.minedIn)) return stays(each)
  const receipt = await findReceipt(account.client, each.hashes)
  if (receipt === undefined)
    return (await hasLostNonce(account, each).catch(isFailed)) ? { kind: 'lost_nonce' } : stays(each)
  if (!(await account.book(each, receipt).then(isDone, isFailed))) return stays(each)
  const minedIn = Number(receipt.blockNumber)
  return isFinal(minedIn) ? { kind: 'final' } : stays({ ...each, minedIn })
}

/** The journal with what takes the place of a transaction that lost its nonce; `rest` is still to be looked at. */
async function replaceLost(
  account: QueueAccount,
  lost: PendingTransaction,
  {
    pending,
    rest,
    now,
  }: {
    readonly pending: readonly PendingTransaction[]
    readonly rest: readonly PendingTransaction[]
    /** UTC seconds by the chain's clock. */
    readonly now: number
  },
): Promise<readonly PendingTransaction[]> {
  if (!isWanted(lost, [...pending, ...rest], now)) {
    await account.treasury.forget(reserveName(account.account.address, lost.nonce))
    return pending
  }
  const again = await signUnderNextNonce(account, lost, pending).catch(() => undefined)
  // Too expensive at the moment.
  if (again === undefined) return [...pending, lost]
  await account.save([...pending, again, ...rest])
  await broadcast(account.client, again.raw)
  return [...pending, again]
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
  if (!(await account.treasury.move(nameOf(lost.nonce), nameOf(nonce)))) {
    const worst = account.cost.worstOf(fees, { call, gas, dataFee })
    await account.treasury.reserve(nameOf(nonce), { kind: 'upkeep' }, worst)
  }
  const replaces = newestHash(lost)
  const { raw, hash } = await signTransaction(account, { nonce, gas, fees, call, replaces })
  return { ...unmined(lost), nonce, raw, hashes: [...lost.hashes, hash], sentAt: account.clock.now() }
}
