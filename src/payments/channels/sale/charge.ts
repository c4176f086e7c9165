import type { ChannelRow, ChannelState } from '../../../ledger/channel-store.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import type { Sale } from '../../ports/sale.ts'
import { isOlder } from '../channel-balance.ts'
import { bringIn } from '../deposits/bring-in.ts'
import type { ChannelAttempt, ChannelContext } from './channel-context.ts'
import { answerCharge, repeatCharge, repeatLocked, repeatTask } from './charge-answers.ts'
import { chargeStep } from './charge-step.ts'
import { outOfStep } from './corrective.ts'
import { writeCharge } from './write-charge.ts'

/** How often a charge is tried again because another process changed the channel. */
const MOST_TRIES = 8

/**
 * Answers one paid call in its turn: a repeat of the newest voucher gets its answer again, a voucher that goes one
 * price further is charged in one durable write, anything else is corrected.
 */
export async function charge(context: ChannelContext, attempt: ChannelAttempt): Promise<Sale> {
  const { charged: taskCharge } = attempt.call
  if (taskCharge !== undefined) return repeatTask(attempt, taskCharge)
  const { channelId } = attempt.payment.voucher
  let row = await context.ledger.findChannel(channelId)
  const again = row === null ? null : await repeatLocked(context, attempt, row)
  if (again !== null) return again
  let fresh: ChannelState | null = null
  let transaction: string | null = null
  let isDepositIn = attempt.payment.kind !== 'deposit'
  for (let tries = 0; tries < MOST_TRIES; ) {
    const step = chargeStep(context, attempt, { row, fresh, isDepositIn })
    switch (step.kind) {
      case 'repeat':
        return repeatCharge(context, attempt, step.row)
      case 'answer':
        return step.sale
      case 'read_chain':
        fresh = await stateOf(context, channelId, row)
        break
      case 'bring_in': {
        const deposit = await bringIn(context, attempt, step.channel)
        if (deposit.kind === 'answer') return deposit.sale
        transaction = deposit.transaction
        isDepositIn = true
        row = await context.ledger.findChannel(channelId)
        fresh = await stateOf(context, channelId, row)
        break
      }
      case 'charge': {
        const written = await writeCharge(context, attempt, { row, fresh, transaction })
        if (written.kind === 'answer') return written.sale
        if (written.kind === 'charged') {
          context.exposure.add(attempt.price)
          return answerCharge(attempt, written.row, written.settlement, false)
        }
        tries += 1
        // What was read from the chain before may be older than what another process has written since.
        fresh = null
        row = await context.ledger.findChannel(channelId)
      }
    }
  }
  return outOfStep(context, attempt, row)
}

/** The channel on the chain. Rejects with ChainUnavailable if the node is behind what the row knows. */
async function stateOf(
  { reader }: ChannelContext,
  id: string,
  row: ChannelRow | null,
): Promise<ChannelState> {
  const state = await reader.state(id)
  if (row !== null && isOlder(row, state)) throw new ChainUnavailable('the node is behind')
  return state
}
