import type { KeyObject } from 'node:crypto'
import { type Hex, isAddressEqual } from 'viem'
import { CHECK_TYPES, type Verdict } from '../../../../src/checks/verdict.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { Budget } from '../../../../src/lists/budget.ts'
import { ownWords } from '../../../../src/lists/own-words.ts'
import { checkedOf, describeResult, NO_WORDS, resultCell } from '../../../../src/lists/results.ts'
import {
  ReceiptFault,
  readReceipt,
  type VerifiedReceipt,
  verifyReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { member } from '../buyer/json.ts'
import { isFile } from '../list/open-list-file.ts'
import { unpackItems } from '../list/pack-items.ts'
import { hashFile } from '../list/statement.ts'
import { type FileComparison, type ListProof, proveList, type SoldItem, soldBy } from './prove-list.ts'
import { createTransferProver, type ProvedTransfer } from './prove-transfers.ts'
import { type CheckedList, printOf, readRows } from './read-rows.ts'
import type { ReadPayment, ReadStatement } from './read-statement.ts'
import type { FindKey } from './trusted-keys.ts'

export interface StatementFiles {
  /** Path of the statement, beside which the list is looked for. */
  readonly path: string
  /** Path of the list; null for the one that the statement names. */
  readonly list: string | null
  /** Path of the file that was bought; null to leave it out. */
  readonly input: string | null
  /** What the statement was read with, and is unpacked with. */
  readonly budget: Budget
  /** A node that is asked for the transfers; null to stay offline. */
  readonly rpcUrl: string | null
}

/** What was proved with keys of kind `K`, and what was not. */
export interface StatementProof<K extends KeyObject> {
  readonly receipts: readonly VerifiedReceipt<K>[]
  /** Values of the receipts whose request was compared. */
  readonly sold: readonly SoldItem[]
  /** Values of the other receipts: only the results are proved. */
  readonly unsold: number
  /** Null without the list. */
  readonly list: ListProof | null
  readonly input: FileComparison
  /** The transfers of the receipts; null if no node was asked. */
  readonly transfers: readonly ProvedTransfer[] | null
  /** Transfers of payments whose answer was lost. */
  readonly found: readonly ProvedTransfer[]
  /** Amounts of the payments that nothing proves. */
  readonly unproven: readonly bigint[]
}

/** Throws {@link ReceiptFault} if one part contradicts another. */
export async function proveStatement<K extends KeyObject>(
  { payments, ...statement }: ReadStatement,
  findKey: FindKey<K>,
  files: StatementFiles,
): Promise<StatementProof<K>> {
  const input = await compareInput(statement.inputSha256, files.input)
  const list = await readRows(statement, files)
  const names = statement.list.results?.names ?? []
  const chain = files.rpcUrl === null ? null : createTransferProver(files.rpcUrl)
  const known = new Set<string>()
  const receipts: VerifiedReceipt<K>[] = []
  const sold: SoldItem[] = []
  const transfers: ProvedTransfer[] = []
  let unsold = 0
  for (const [at, payment] of payments.entries()) {
    if (payment.settlement === null) continue
    try {
      const { receipt, items } = provePayment(payment, { list, names, budget: files.budget }, findKey)
      const { transaction, requestHash, payer, payTo, network } = receipt.payload
      // The salt of a payment stays the same, so that a later receipt for the same payment has the same hash.
      if (known.has(`${transaction} ${requestHash}`))
        throw new ReceiptFault('It is the receipt of another payment too.')
      known.add(`${transaction} ${requestHash}`)
      receipts.push(receipt)
      sold.push(...(items ?? []))
      if (items === null) unsold += payment.cells.length
      const payee = payTo ?? payment.payTo
      if (chain === null || payee === null) continue
      const { amount } = payment
      transfers.push(
        await chain.find(transaction as Hex, { network, payer: payer as Hex, payTo: payee as Hex, amount }),
      )
    } catch (error) {
      if (error instanceof ReceiptFault) throw new ReceiptFault(`Payment ${at + 1}: ${error.message}`)
      throw new ReceiptFault(`Payment ${at + 1} of the statement cannot be read.`)
    }
  }
  if (receipts.length === 0)
    throw new ReceiptFault('The statement has no receipt, so nothing of it is proved.')
  const pairs = new Set(receipts.map(({ payload: { payer, payTo = '' } }) => pairOf(payer, payTo)))
  const found: ProvedTransfer[] = []
  const unproven: bigint[] = []
  for (const { settlement, authorization, payTo, amount } of payments) {
    if (settlement !== null) continue
    // A transfer between accounts that no receipt names may be any on the chain.
    const isOurs =
      chain !== null &&
      authorization !== null &&
      payTo !== null &&
      pairs.has(pairOf(authorization.payer, payTo))
    const transfer = isOurs
      ? await chain.findUse(authorization, {
          ...{
            network: authorization.network,
            payer: authorization.payer as Hex,
            payTo: payTo as Hex,
            amount,
          },
        })
      : null
    if (transfer === null) unproven.push(amount)
    else found.push(transfer)
  }
  const { sha256 } = statement.list
  return {
    ...{ receipts, sold, unsold, input, found, unproven },
    list: list === null ? null : proveList(list, sold, { isWhole: unsold === 0, sha256 }),
    transfers: chain === null ? null : transfers,
  }
}

const pairOf = (payer: string, payTo: string): string => `${payer} ${payTo}`.toLowerCase()

/** A file that the caller names must be the one of the statement. */
async function compareInput(sha256: string | null, path: string | null): Promise<FileComparison> {
  if (path === null) return 'not_compared'
  if (sha256 === null) throw new ReceiptFault('The statement has no hash of its input.')
  if (!isFile(path)) throw new UsageError('--input names no file')
  if ((await hashFile(path)) === sha256) return 'as_stated'
  throw new ReceiptFault('The file of --input is not the one that the statement names.')
}

interface ListContext extends Pick<StatementFiles, 'budget'> {
  readonly list: CheckedList | null
  /** The columns of its results. */
  readonly names: readonly string[]
}

function provePayment<K extends KeyObject>(
  { settlement, request, results, cells, amount, payTo, namesAllCells }: ReadPayment,
  { list, names, budget }: ListContext,
  findKey: FindKey<K>,
): { readonly receipt: VerifiedReceipt<K>; readonly items: readonly SoldItem[] | null } {
  const read = readReceipt({ receipt: settlement })
  const key = findKey(read.kid)
  // First, so that nothing is unpacked for a signer of another key.
  verifyReceipt(read, key)
  const result = unpackItems(results, cells.length, budget) as readonly Verdict[]
  const asked = request === null ? askedIn(list, cells) : unpackItems(request, cells.length, budget)
  const receipt = verifyReceipt({ ...read, request: asked, result }, key)
  const { payload } = receipt
  if (BigInt(payload.amount) !== amount) throw new ReceiptFault('The receipt is for another amount.')
  if (payload.payTo !== undefined && (payTo === null || !isAddressEqual(payload.payTo as Hex, payTo as Hex)))
    throw new ReceiptFault('The receipt is for another payee.')
  const items = soldBy(receipt, () =>
    result.map((verdict, at) => {
      const { type, value } = member(asked?.[at])
      const checked = checkedOf(verdict)
      const known = CHECK_TYPES.find((each) => each === type)
      const own = known === undefined ? NO_WORDS : ownWords({ type: known, value }, checked)
      const told: Readonly<Record<string, unknown>> = describeResult(checked, own)
      return {
        ...{ type: String(type), value: String(value), cells: namesAllCells ? (cells[at] ?? []) : null },
        print: printOf(names, (name) => resultCell(name, told[name])),
      }
    }),
  )
  return { receipt, items }
}

/** The request of a former statement, whose values are in the list alone; undefined unless the list has them all. */
function askedIn(list: CheckedList | null, cells: ReadPayment['cells']): readonly unknown[] | undefined {
  const asked = cells.flatMap(([cell = 0]) => {
    const { type, value = null } = list?.cells[cell - 1] ?? {}
    return value === null ? [] : [{ type, value }]
  })
  return asked.length === cells.length ? asked : undefined
}
