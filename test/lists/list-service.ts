/** Every surface of the service over a payment layer whose facilitator and store can be made to fail. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import type { PrivateKeyAccount } from 'viem/accounts'
import { watchParts } from '../../src/app/monitoring/instrument.ts'
import type { PaymentLayer } from '../../src/app/payment-layer.ts'
import { publicServer } from '../../src/app/public-server.ts'
import { freshAccount, signPayment } from '../support/chain-payments.ts'
import { startSaleBench } from '../support/sale-bench.ts'
import { type Door, doorsOf } from './doors.ts'

export type ListService = Awaited<ReturnType<typeof startListService>>

export async function startListService() {
  const bench = await startSaleBench()
  const log = {
    info: (...line: unknown[]) => void bench.logged.push(JSON.stringify(line)),
    warn: (...line: unknown[]) => void bench.logged.push(JSON.stringify(line)),
    error: (...line: unknown[]) => void bench.logged.push(JSON.stringify(line)),
  }
  const options = {
    baseUrl: 'https://checks.example',
    payTo: bench.payTo,
    facilitatorUrl: 'https://facilitator.example',
    facilitator: bench.facilitator,
    chain: bench.reader,
    ledger: bench.ledger,
    dataDir: bench.dataDir,
    secretKey: null,
    secretKeyPrevious: null,
    finalityDepth: 0n,
    verifyAlways: false,
    proofOnChain: false,
    rateLimitUnpaid: 0,
    trustProxy: 0,
    loopback: true,
    sandbox: false,
    now: bench.clock.now,
    log,
  }
  // The layer is looked up for each call, so that the surfaces use the one of the process that runs now.
  const payments: PaymentLayer = {
    ...bench.layer,
    sell: (call, proof) => bench.layer.sell(call, proof),
    holdVerdict: (call) => bench.layer.holdVerdict(call),
    tasks: {
      read: (taskId) => bench.layer.tasks.read(taskId),
      cancel: (taskId) => bench.layer.tasks.cancel(taskId),
      fail: (taskId, code) => bench.layer.tasks.fail(taskId, code),
    },
  }
  const face = await publicServer(options, {
    registry: payments.context.registry,
    payments,
    watch: watchParts({ ...options, onClearedUp: () => {} }),
    readiness: { ready: async () => true, drain: () => {}, troubles: async () => [] },
    startedAt: bench.clock.now(),
  })
  const server = createServer({ maxHeaderSize: 32_768 }, face.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

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
    hangUp: () => server.closeAllConnections(),
    async stop() {
      await face.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await bench.stop()
    },
  }
}

/** The doors by name, for tables of tests. */
export const DOORS = ['rest', 'mcp', 'a2a by header', 'a2a in band'] as const
export type DoorName = (typeof DOORS)[number]

export const doorOf = (service: ListService, name: DoorName): Door => service.doors[name]
