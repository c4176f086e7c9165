/** Every surface of the service over a payment layer of a test bench, on a real socket. */
import { createServer } from 'node:http'
import { instrument } from '../../src/app/monitoring/instrument.ts'
import type { AppOptions, NetworkParts } from '../../src/app/options.ts'
import type { PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import { publicServer } from '../../src/app/public/public-server.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { listenOnLoopback } from './loopback.ts'
import { PLAIN_APP } from './plain-app.ts'

/** `layer` is asked for each call, so that the surfaces use the one of the process that runs now. */
export async function serveSurfaces(
  {
    facilitator,
    chain,
    ...parts
  }: Pick<AppOptions, 'payTo' | 'ledger' | 'dataDir' | 'now'> & Pick<NetworkParts, 'facilitator' | 'chain'>,
  layer: () => PaymentLayer,
  logged: string[],
) {
  const write = (...line: unknown[]) => void logged.push(JSON.stringify(line))
  const options: AppOptions = {
    ...PLAIN_APP,
    ...parts,
    networks: [{ network: BASE, facilitator, chain }],
    baseUrl: 'https://checks.example',
    loopback: true,
    log: { info: write, warn: write, error: write },
  }
  const payments: PaymentLayer = {
    ...layer(),
    sell: (call, rawPayment) => layer().sell(call, rawPayment),
    holdVerdict: (call) => layer().holdVerdict(call),
    tasks: {
      pendingOrder: (taskId) => layer().tasks.pendingOrder(taskId),
      read: (taskId) => layer().tasks.read(taskId),
      cancel: (taskId) => layer().tasks.cancel(taskId),
      fail: (taskId, code) => layer().tasks.fail(taskId, code),
    },
  }
  const face = await publicServer(options, {
    registry: payments.context.registry,
    payments,
    instruments: instrument({ ...options, onClearedUp: () => {} }),
    ready: async () => true,
    troubles: async () => [[]],
    startedAt: options.now(),
  })
  const server = createServer({ maxHeaderSize: 32_768 }, face.handler)
  const { url, stop } = await listenOnLoopback(server)
  return {
    url,
    /** Closes every connection. */
    hangUp: () => server.closeAllConnections(),
    async stop() {
      await face.close()
      await stop()
    },
  }
}
