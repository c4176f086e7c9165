/** Every surface of the service over a payment layer whose facilitator and store can be made to fail. */
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import type { PrivateKeyAccount } from 'viem/accounts'
import { freshAccount, signPayment } from '../support/chain-payments.ts'
import { startSaleBench } from '../support/sale-bench.ts'
import { serveSurfaces } from '../support/serve-surfaces.ts'
import { type Door, doorsOf } from './doors.ts'

export type ListService = Awaited<ReturnType<typeof startListService>>

export async function startListService() {
  const bench = await startSaleBench()
  const face = await serveSurfaces(
    {
      payTo: bench.payTo,
      facilitator: bench.facilitator,
      chain: bench.reader,
      ledger: bench.ledger,
      dataDir: bench.dataDir,
      now: bench.clock.now,
    },
    () => bench.layer,
    bench.logged,
  )
  const { url } = face
  const buyer: PrivateKeyAccount = freshAccount()
  await bench.chain.fund(buyer.address, 100_000_000n)
  return {
    bench,
    url,
    buyer,
    doors: doorsOf(url),
    /** Signs the first of the terms. */
    async sign({ accepts: [terms] }: PaymentRequired): Promise<PaymentPayload> {
      if (terms === undefined) throw new Error('no terms')
      const validBefore = String(bench.clock.seconds() + 120)
      return (await signPayment(buyer, terms, { validBefore })).payload
    },
    /** Values charged so far, from the chain. */
    charged: bench.charged,
    /** Every trace of what was sent: lines that were logged, and bytes of the store. */
    traces: () => bench.logged.join('\n') + bench.storedBytes().toString('latin1'),
    /** Closes every connection. */
    hangUp: face.hangUp,
    async stop() {
      await face.stop()
      await bench.stop()
    },
  }
}

/** The doors by name, for tables of tests. */
export const DOORS = ['rest', 'mcp', 'a2a by header', 'a2a in band'] as const
export type DoorName = (typeof DOORS)[number]

export const doorOf = (service: ListService, name: DoorName): Door => service.doors[name]
