import { NO_LEASE, type PaymentRow } from '../../ledger/payment-row.ts'
import type { Hex } from '../chain/chain-reader.ts'
import { PROMISES } from '../promises.ts'
import type { Sale } from '../sale.ts'
import { askChain } from './ask-chain.ts'
import { declined, inDoubt } from './outcomes.ts'
import { answer, LOOK_AGAIN, type Next, type SaleRun } from './sale-context.ts'

/**
 * "Nothing was charged" must stay true although another request with the same authorization may be slow: it may have
 * passed the same conditions when they still held. Two things keep it from sending after such an answer. The row it
 * has seen is changed before the answer, and it looks at the time once more before it sends.
 */
export async function fenced(run: SaleRun, row: PaymentRow, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer') return obstacle
  const { ledger } = run.context
  if (row.owner !== null) return (await ledger.move(row, NO_LEASE)) === null ? LOOK_AGAIN : obstacle
  // A request that takes a row without an owner from here on looks at the time after that.
  const present = await ledger.find(row)
  return present?.state === row.state && present.owner === null ? obstacle : LOOK_AGAIN
}

/**
 * The same where there is no row to change: one that was written meanwhile has the word. A client that signs
 * again would pay twice for a payment that a store put back from a backup no longer knows, so the chain is asked first.
 */
export async function fencedUnseen(run: SaleRun, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer' || !deniesCharge(obstacle.sale)) return obstacle
  const said = obstacle.sale.kind === 'unpaid' ? await unlessUsed(run, obstacle) : obstacle
  return (await run.context.ledger.find(run.attempt.key)) === null ? said : LOOK_AGAIN
}

async function unlessUsed(run: SaleRun, obstacle: Next): Promise<Next> {
  const { chain } = run.context
  const { payer, nonce } = run.attempt.key
  return askChain(
    run.context,
    async () => {
      const isUsed = await chain.authorizationUsed(payer as Hex, nonce as Hex)
      return isUsed ? answer(declined('payment_already_used')) : obstacle
    },
    async () => answer(await inDoubt(run)),
  )
}

const deniesCharge = (sale: Sale): boolean => sale.kind !== 'sold' && PROMISES[sale.code] === 'never'
