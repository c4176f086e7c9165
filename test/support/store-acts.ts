import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { newChannel } from './channel-rows.ts'
import type { Tell } from './kept-claims.ts'
import { attached, newTask } from './ledger-rows.ts'
import { newPayment } from './payment-rows.ts'
import type { SeededRandom } from './seeded-random.ts'

const DAY_MS = 86_400_000
export const NOW = 1_000 * DAY_MS
const DAILY_LOSS_LIMIT = { day: '1972-09-27', most: 10n ** 15n }

/** One use of a store; notes its claims as its promises resolve. Those that fail promise nothing. */
export async function useStore(ledger: Ledger, random: SeededRandom, tell: Tell): Promise<void> {
  const payment = newPayment({ settlingAt: NOW, claimedAt: NOW })
  const claim = async (task?: Parameters<Ledger['claim']>[1]): Promise<PaymentRow> => {
    const outcome = await ledger.claim(payment, task)
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
    tell(payment.nonce, ['select state from payments where nonce = ?', payment.nonce, 'settling', 'settled'])
    return outcome.row
  }
  switch (random.int(6)) {
    case 0: {
      const row = await claim()
      await ledger.moveUnflushed(row, { state: 'settled', settledAt: NOW, transaction: '0x1' })
      return ledger.noteDelivered(row, NOW, 50)
    }
    case 1: {
      // Settled by this process: the worst cost is reserved and the transaction recorded before it is sent.
      const row = await claim()
      await ledger.reserve(row.nonce, { kind: 'sale', payers: [] }, 5n, DAILY_LOSS_LIMIT)
      tell(`reserve ${row.nonce}`, ['select worst from treasury_reserves where id = ?', row.nonce, 5])
      await ledger.noteSent([row], `0x${row.nonce}`)
      tell(`sent ${row.nonce}`, ['select tx from payments where nonce = ?', row.nonce, `0x${row.nonce}`])
      return
    }
    case 2: {
      // Over A2A in one message, and with a payment that follows the task.
      const task = newTask({ createdAt: NOW, expiresAt: NOW + DAY_MS })
      const isLater = random.int(2) === 0
      if (isLater) await ledger.saveTask(task, 1_000)
      await claim(
        isLater ? { ...attached(task.key), expiresAt: NOW + DAY_MS, now: NOW } : { kind: 'new', task },
      )
      tell(task.key, ['select nonce from tasks where key = ?', task.key, payment.nonce])
      return
    }
    case 3: {
      const channel = newChannel()
      const opened = await ledger.openChannel(channel)
      if (opened === null) throw new Error('the channel is known')
      const charged = 'select charged from channels where id = ?'
      tell(channel.id, [charged, channel.id, '1000', '2000'])
      await ledger.moveChannel(opened, { charged: 2_000n })
      tell(channel.id, [charged, channel.id, '2000'])
      return
    }
    case 4: {
      const old = newPayment({ claimedAt: 1, validBefore: 2, leaseUntil: 3 })
      await ledger.claim(old)
      return void (await ledger.purge(NOW, { deliveredMs: DAY_MS, undeliveredMs: DAY_MS }))
    }
    default:
      return ledger.addCounts([
        { day: DAILY_LOSS_LIMIT.day, surface: 'rest', checkType: 'iban', outcome: 'sold', count: 1 },
      ])
  }
}
