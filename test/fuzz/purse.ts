import { randomBytes } from 'node:crypto'
import type { PaymentPayload } from '@x402/core/types'
import type { PrivateKeyAccount } from 'viem/accounts'
import { freshAccount, signPayment, termsFor } from '../support/chain-payments.ts'
import { PAYMENT_MUTATIONS } from '../support/payment-mutations.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { mutateJson } from './json-mutations.ts'
import type { TestTarget } from './target.ts'

/** Payments that mutations are made of: good ones, of buyers with money and without. */
export interface Purse {
  /** The value all good payments are meant for. */
  readonly value: string
  /** Ids of tasks that were seen in answers, and some that never were. */
  readonly tasks: string[]
  /** A payment as a header's text: as it is, rewritten, or bent. */
  header(random: SeededRandom): string
  /** A payment as an object, or as a text. */
  payload(random: SeededRandom): unknown
  pick(random: SeededRandom): { readonly payer: string; readonly nonce: string }
  /** Puts new payments in place of the oldest; each can be sold once, and lives for two minutes. */
  renew(): Promise<void>
}

const VALUE = 'DE89370400440532013000'
const PAYMENTS = 48
const BUYERS = 8
const MOST_TASKS = 64

export async function fillPurse(target: TestTarget): Promise<Purse> {
  const terms = termsFor(target.payTo)
  const buyers: PrivateKeyAccount[] = []
  for (let left = BUYERS; left > 0; left--) {
    const buyer = freshAccount()
    await target.fund(buyer.address)
    buyers.push(buyer)
  }
  const payments: PaymentPayload[] = []
  const sign = async (at: number) => {
    // Every sixth buyer has no money.
    const buyer = at % 6 === 5 ? freshAccount() : (buyers[at % BUYERS] as PrivateKeyAccount)
    const { payload } = await signPayment(buyer, terms, { nonce: `0x${randomBytes(32).toString('hex')}` })
    payments[at % PAYMENTS] = payload
  }
  for (let at = 0; at < PAYMENTS; at++) await sign(at)
  let next = 0
  const any = (random: SeededRandom) => random.pick(payments)

  return {
    value: VALUE,
    tasks: ['none', '00000000-0000-4000-8000-000000000000'],
    header(random) {
      const payment = any(random)
      switch (random.int(4)) {
        case 0:
          return Buffer.from(JSON.stringify(payment)).toString('base64')
        case 1:
          return Buffer.from(JSON.stringify(mutateJson(payment, random)) ?? '').toString('base64')
        default:
          return random
            .pick(PAYMENT_MUTATIONS)
            .write(payment)
            .replaceAll(/[^\x20-\x7e]/g, '%')
            .slice(0, 30_000)
      }
    },
    payload(random) {
      const payment = any(random)
      const kind = random.int(4)
      if (kind === 0) return payment
      return kind === 1
        ? random.pick(PAYMENT_MUTATIONS).write(payment).slice(0, 12_000)
        : mutateJson(payment, random)
    },
    pick(random) {
      const { payload } = any(random)
      const { from, nonce } = payload.authorization as { from: string; nonce: string }
      return { payer: from, nonce }
    },
    async renew() {
      for (let left = 4; left > 0; left--) await sign(next++)
    },
  }
}

export function noteTask(purse: Purse, id: string, random: SeededRandom): void {
  if (purse.tasks.length < MOST_TASKS) purse.tasks.push(id)
  else purse.tasks[random.int(MOST_TASKS)] = id
}
