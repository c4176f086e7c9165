/** Every surface of the service over channels on a simulated contract, and buyers that sign with the stock client. */
import { randomBytes } from 'node:crypto'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { type PrivateKeyAccount, toHex } from 'viem'
import type { Answer, Door, Order } from '../lists/doors.ts'
import { doorsOf } from '../lists/doors.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { startChannelBench } from '../support/channel-bench.ts'
import { serveSurfaces } from '../support/serve-surfaces.ts'

export type ChannelService = Awaited<ReturnType<typeof startChannelService>>

/** The offer of channels among the terms. */
export function channelTermsIn({ accepts }: PaymentRequired): PaymentRequirements {
  const terms = accepts.find(({ scheme }) => scheme === 'batch-settlement')
  if (terms === undefined) throw new Error('channels are not offered')
  return terms
}

export async function startChannelService() {
  const bench = await startChannelBench()
  const { contract, payTo, ledger, dataDir, now, logged } = bench
  const parts = { payTo, ledger, dataDir, now, facilitator: contract.facilitator, chain: contract.chain }
  const face = await serveSurfaces(parts, () => bench.layer, logged)

  /** A buyer at one door: the stock client's scheme signs and hears, nothing else of it is used. */
  const buyerAt = (
    door: Door,
    account: PrivateKeyAccount = freshAccount(),
    salt = toHex(randomBytes(32)),
  ) => {
    const { scheme, id } = bench.buyer(account, salt)
    /** The next payment on these terms. */
    const sign = async (required: PaymentRequired): Promise<PaymentPayload> => {
      const accepted = channelTermsIn(required)
      const { payload } = await scheme.createPaymentPayload(2, accepted)
      return { x402Version: 2, accepted, payload }
    }
    const payFor = async (order: Order) => sign(await door.ask(order))
    /** Tells the client what it was answered; true if it was corrected and wants to send the call again. */
    const hear = async (payload: PaymentPayload, answer: Answer): Promise<boolean> => {
      const { settlement, required } = answer
      const result = await scheme.schemeHooks.onPaymentResponse?.({
        paymentPayload: payload,
        requirements: payload.accepted,
        ...(settlement === undefined ? { paymentRequired: required } : { settleResponse: settlement }),
      } as never)
      return (result as { recovered?: boolean } | undefined)?.recovered === true
    }
    /** Asks, signs, sends and hears; once more if the client was corrected. */
    const buy = async (order: Order): Promise<Answer> => {
      const payload = await payFor(order)
      const answer = await door.buy(order, payload)
      if (!(await hear(payload, answer))) return answer
      const again = await payFor(order)
      const second = await door.buy(order, again)
      await hear(again, second)
      return second
    }
    const charged = async () => (await bench.store.findChannel(await id()))?.charged ?? 0n
    return { account, salt, sign, payFor, hear, buy, id, charged }
  }
  return {
    bench,
    url: face.url,
    /** Whose clients ask for channels. */
    doors: doorsOf(face.url, { channels: true }),
    plainDoors: doorsOf(face.url),
    buyerAt,
    /** Every trace of what was sent: lines that were logged, and bytes of the store. */
    traces: () => logged.join('\n') + bench.storedBytes().toString('latin1'),
    async stop() {
      await face.stop()
      await bench.stop()
    },
  }
}

/** The doors by name, for tables of tests. */
export const DOORS = ['rest', 'mcp', 'a2a by header', 'a2a in band', 'a2a in two messages'] as const
