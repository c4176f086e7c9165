import type { KeyObject } from 'node:crypto'
import type { Hex } from 'viem'
import type { Budget } from '../../../../src/lists/budget.ts'
import {
  isPaid,
  type LostPayment,
  type PaidPayment,
  type Statement,
} from '../../../../src/lists/statement/format.ts'
import {
  ReceiptFault,
  readReceipt,
  type VerifiedReceipt,
  verifyReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { JsonFault } from '../../../../src/values/strict-json.ts'
import { unpack } from '../statement/packed.ts'
import { createTransferProver, type ProvedTransfer } from './prove-transfers.ts'
import { type ProvedRow, rowsOf } from './proved-rows.ts'
import type { FindKey } from './trusted-keys.ts'

export interface ProofOptions {
  /** What the statement was read with, and is unpacked with. */
  readonly budget: Budget
  /** A node that is asked for the transfers; null to stay offline. */
  readonly rpcUrl: string | null
  /** Called with the rows of each payment. They count only if the proof succeeds. */
  readonly take: (rows: readonly ProvedRow[]) => void
}

/** A payment whose receipt a key of kind `K` has signed. */
export interface ProvedPayment<K extends KeyObject> {
  readonly receipt: VerifiedReceipt<K>
  /** Different values that it paid for. */
  readonly values: number
}

/** What was proved with keys of kind `K`, and what was not. */
export interface StatementProof<K extends KeyObject> {
  readonly payments: readonly ProvedPayment<K>[]
  /** Rows of the proved list. */
  readonly rows: number
  /** Values that the statement names, by its own word. */
  readonly named: number
  /** The transfers of the receipts; null if no node was asked. */
  readonly transfers: readonly ProvedTransfer[] | null
  /** Transfers of payments whose answer was lost, with their payers. */
  readonly found: readonly (ProvedTransfer & { readonly payer: string })[]
  /** Amounts of the payments that nothing proves. */
  readonly unproven: readonly bigint[]
}

/** Throws {@link ReceiptFault} if one part contradicts another. */
export async function proveStatement<K extends KeyObject>(
  statement: Statement,
  findKey: FindKey<K>,
  { budget, rpcUrl, take }: ProofOptions,
): Promise<StatementProof<K>> {
  const chain = rpcUrl === null ? null : createTransferProver(rpcUrl)
  const known = new Set<string>()
  const payments: ProvedPayment<K>[] = []
  const transfers: ProvedTransfer[] = []
  let rows = 0
  for (const [at, payment] of statement.payments.entries()) {
    if (!isPaid(payment)) continue
    try {
      const { receipt, proved } = provePayment(payment, budget, findKey)
      const { transaction, requestHash, payer, payTo, network } = receipt.payload
      // The salt of a payment stays the same, so that a later receipt for the same payment has the same hash.
      if (known.has(`${transaction} ${requestHash}`))
        throw new ReceiptFault('It is the receipt of another payment too.')
      known.add(`${transaction} ${requestHash}`)
      payments.push({ receipt, values: payment.cells.length })
      rows += proved.length
      take(proved)
      if (chain === null) continue
      const transfer = { network, payer: payer as Hex, payTo: payTo as Hex, amount: BigInt(payment.amount) }
      transfers.push(await chain.find(transaction as Hex, transfer))
    } catch (error) {
      if (error instanceof ReceiptFault) throw new ReceiptFault(`Payment ${at + 1}: ${error.message}`)
      if (error instanceof JsonFault)
        throw new ReceiptFault(`Payment ${at + 1}: its packed JSON ${error.message}.`)
      throw new ReceiptFault(`Payment ${at + 1} of the statement cannot be read.`)
    }
  }
  if (payments.length === 0)
    throw new ReceiptFault('The statement has no receipt, so nothing of it is proved.')
  const pairs = new Set(payments.map(({ receipt: { payload } }) => pairOf(payload.payer, payload.payTo)))
  const found: StatementProof<K>['found'][number][] = []
  const unproven: bigint[] = []
  for (const payment of statement.payments) {
    if (isPaid(payment)) continue
    const transfer = await findLost(payment, chain, pairs)
    if (transfer === null) unproven.push(BigInt(payment.amount))
    else found.push(transfer)
  }
  const named = statement.payments.reduce((sum, { cells }) => sum + cells.length, 0)
  return { payments, rows, named, found, unproven, transfers: chain === null ? null : transfers }
}

const pairOf = (payer: string, payTo: string): string => `${payer} ${payTo}`.toLowerCase()

/** The transfer of a payment whose answer was lost; null if the chain does not show it between accounts of a receipt. */
async function findLost(
  { authorization, payTo, amount }: LostPayment,
  chain: ReturnType<typeof createTransferProver> | null,
  pairs: ReadonlySet<string>,
) {
  // A transfer between accounts that no receipt names may be any on the chain.
  if (chain === null || authorization === null || payTo === null) return null
  const { network, payer } = authorization
  if (!pairs.has(pairOf(payer, payTo))) return null
  const wanted = { network, payer: payer as Hex, payTo: payTo as Hex, amount: BigInt(amount) }
  const transfer = await chain.findUse(authorization, wanted)
  return transfer === null ? null : { ...transfer, payer }
}

function provePayment<K extends KeyObject>(
  { settlement, request, results, cells, amount, payTo }: PaidPayment,
  budget: Budget,
  findKey: FindKey<K>,
): { readonly receipt: VerifiedReceipt<K>; readonly proved: readonly ProvedRow[] } {
  const read = readReceipt({ receipt: settlement })
  const key = findKey(read.kid)
  // First, so that nothing is unpacked for a signer of another key.
  verifyReceipt(read, key)
  const parts = {
    request: unpack(request, cells.length, budget),
    result: unpack(results, cells.length, budget),
  }
  const receipt = verifyReceipt({ ...read, ...parts }, key)
  const { payload } = receipt
  if (payload.amount !== amount) throw new ReceiptFault('The receipt is for another amount.')
  if (BigInt(amount) % BigInt(cells.length) !== 0n)
    throw new ReceiptFault('The amount is no multiple of the number of its values.')
  if (payload.payTo.toLowerCase() !== payTo.toLowerCase())
    throw new ReceiptFault('The receipt is for another payee.')
  const proved = rowsOf(receipt, parts, cells)
  if (proved === null) throw new ReceiptFault('Its receipt does not show what was sold.')
  return { receipt, proved }
}
