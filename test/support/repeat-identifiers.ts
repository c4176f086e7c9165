import { expect } from 'vitest'
import type { PaymentState } from '../../src/ledger/payments/payment-row.ts'
import type { RawPayment, Sale, SurfaceName } from '../../src/payments/ports/sale.ts'
import type { BenchBuyer, BenchPayment } from './bench-buyer.ts'
import type { SaleBench } from './sale-bench.ts'

/** A way to name the purchase of a payment again; undefined for none. */
export interface Renaming {
  readonly name: string
  /** What a first request names; undefined for none. */
  readonly first?: string
  readonly second: unknown
}

const [ID, OTHER_ID] = ['order-0123456789abcdef', 'order-fedcba9876543210']

export const RENAMINGS: readonly Renaming[] = [
  { name: 'without the identifier of the first', first: ID, second: undefined },
  { name: 'with another identifier', first: ID, second: OTHER_ID },
  { name: 'with a malformed identifier', first: ID, second: 'short' },
  { name: 'with an identifier that the first lacked', second: ID },
  { name: 'with a malformed one that the first lacked', second: 5 },
]

const renamed = ({ payload }: BenchPayment, id: unknown): RawPayment => {
  const { extensions: _, ...bare } = payload
  const extensions = { 'payment-identifier': { info: { required: false, id }, schema: {} } }
  return { kind: 'object', payload: id === undefined ? bare : { ...bare, extensions } }
}

interface Stage {
  readonly bench: SaleBench
  readonly buyer: BenchBuyer
  readonly payment: BenchPayment
}

const failed = (errorReason: string) => () => ({
  success: false,
  errorReason,
  transaction: '',
  network: 'eip155:8453',
})

/** Brings the row of a first request to each state a repeat can find it in. */
const REACHED: Readonly<Record<PaymentState, (stage: Stage) => Promise<unknown>>> = {
  async claimed({ bench, payment }) {
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(payment.rawPayment)
  },
  async settling({ bench, buyer, payment }) {
    await REACHED.claimed({ bench, buyer, payment })
    const row = await bench.row(buyer, payment.nonce)
    const now = bench.clock.now()
    await bench.ledger.move(row, { state: 'settling', owner: 'gone', leaseUntil: now, settlingAt: now })
  },
  async settled({ bench, payment }) {
    await bench.sell(payment.rawPayment)
  },
  async refused({ bench, payment }) {
    bench.facilitator.script.push({ says: failed('insufficient_funds') })
    await bench.sell(payment.rawPayment)
  },
  async in_doubt({ bench, payment }) {
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(payment.rawPayment)
  },
  async void({ bench, payment }) {
    await REACHED.in_doubt({ bench, payment } as Stage)
    bench.clock.advance(600_000)
    await bench.sell(payment.rawPayment)
  },
}

export const REPEATED_STATES = Object.keys(REACHED) as PaymentState[]

const saidBy = (sale: Sale) => (sale.kind === 'sold' ? 'sold' : sale.code)

/**
 * Repeats a payment whose row is in `state` under another name, and one of another buyer unchanged: both must be
 * answered alike and be charged alike, at most once.
 */
export async function expectRenamedRepeat(
  bench: SaleBench,
  state: PaymentState,
  { first, second }: Renaming,
  surface: SurfaceName,
): Promise<void> {
  const repeat = async (rename: (payment: BenchPayment) => RawPayment) => {
    const buyer = await bench.buyer()
    const payment = await buyer.sign({}, first)
    await REACHED[state]({ bench, buyer, payment })
    expect((await bench.row(buyer, payment.nonce)).state).toBe(state)
    const call = bench.call(undefined, undefined, surface)
    const said = saidBy(await bench.sell(rename(payment), call))
    const row = await bench.row(buyer, payment.nonce)
    const left = await bench.reader.balance(buyer.address)
    // A new signature under the first name is answered from what was bought, and not charged.
    const renewed = first === undefined ? null : await bench.sell((await buyer.sign({}, first)).rawPayment)
    const spent = left - (await bench.reader.balance(buyer.address))
    return { said, state: row.state, left, renewed: renewed && saidBy(renewed), spent }
  }
  const unchanged = await repeat(({ rawPayment }) => rawPayment)
  expect(await repeat((payment) => renamed(payment, second))).toEqual(unchanged)
}
