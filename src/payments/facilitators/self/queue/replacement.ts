import type { PublicClient } from 'viem'
import { CANCEL_DATA } from '../../../chain/contract-call.ts'
import type { CostBound } from '../gas/cost-bound.ts'
import type { DataFee } from '../gas/data-fee.ts'
import { raiseFees } from '../gas/gas.ts'
import type { SettlementClock } from '../settlement-clock.ts'
import { contentOf, isNowhere, type Signing, signTransaction } from '../transaction/settlement-transaction.ts'
import { reserveName, type Treasury } from '../treasury/treasury.ts'
import { newestHash, type PendingTransaction } from './settlement-journal.ts'

/** An empty transfer from the account to itself. */
const CANCEL_GAS = 21_000n

export interface SettlementAccount extends Signing {
  readonly client: PublicClient
  readonly cost: CostBound
  readonly dataFee: DataFee
  readonly clock: SettlementClock
  readonly treasury: Treasury
}

/**
 * What to broadcast for a late transaction: the same one if the node does not have it, a replacement at higher fees if it
 * has, and one that gives the nonce up if the authorization has ended. None costs more than was reserved with the first.
 *
 * @param now - UTC seconds by the chain's clock
 */
export async function createReplacement(
  account: SettlementAccount,
  late: PendingTransaction,
  now: number,
): Promise<PendingTransaction> {
  const { client, cost } = account
  const again = { ...late, sentAt: account.clock.now() }
  const content = contentOf(late.raw)
  const isOver = late.expiresAt <= now
  const next = isOver && content.call.data !== CANCEL_DATA ? cancelOf(account, late.nonce) : content
  if (next === content && (await isNowhere(client, [newestHash(late)]).catch(() => true))) return again
  const fees = raiseFees(content.fees, await client.estimateFeesPerGas())
  const dataFee = await account.dataFee.before(next.call.data, next.gas)
  if (cost.isExceeded(fees, { ...next, dataFee })) return again
  const signed = await signTransaction(account, { ...next, fees, replaces: newestHash(late) })
  return { ...again, raw: signed.raw, hashes: [...late.hashes, signed.hash] }
}

/** Gives up a nonce that is not in the journal, since a reorganisation took its transaction back: all later ones wait for it. */
export async function fillGap(account: SettlementAccount, nonce: number): Promise<PendingTransaction> {
  const cancel = cancelOf(account, nonce)
  const dataFee = await account.dataFee.before(CANCEL_DATA, CANCEL_GAS)
  const fees = account.cost.lower(await account.client.estimateFeesPerGas(), { ...cancel, dataFee })
  const worst = account.cost.worstOf(fees, { ...cancel, dataFee })
  await account.treasury.reserve(reserveName(account.account.address, nonce), { kind: 'upkeep' }, worst)
  const { raw, hash } = await signTransaction(account, { ...cancel, fees })
  return { nonce, hashes: [hash], raw, sentAt: account.clock.now(), expiresAt: 0 }
}

const cancelOf = ({ account }: Signing, nonce: number) => ({
  nonce,
  gas: CANCEL_GAS,
  call: { to: account.address, data: CANCEL_DATA },
})
