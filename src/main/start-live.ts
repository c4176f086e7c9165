import { buildApp } from '../app.ts'
import { isLoopback, type LiveConfig } from '../config.ts'
import type { Log } from '../log.ts'
import type { Hex } from '../payments/chain/chain-reader.ts'
import { createRpcChainReader } from '../payments/chain/rpc-chain-reader.ts'
import { createHttpFacilitator } from '../payments/facilitators/http-facilitator.ts'
import { closeServer, listen, portOf } from './listen.ts'
import { checkLiveSettings } from './live-checks.ts'
import { checkGivenKeys, openLiveStore } from './live-store.ts'
import { type Service, SHUTDOWN_GRACE_MS } from './service.ts'

/** USDC on Base (Circle's list of contract addresses); the x402 packages' default asset of this network. */
export const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
/** Blocks of Base after which a state counts as final here. */
const FINALITY_DEPTH = 12n

/** Starts the service for real money. */
export async function startLive(config: LiveConfig, log: Log): Promise<Service> {
  const { store } = config
  checkGivenKeys(store)
  const chain = createRpcChainReader({ rpcUrl: config.rpcUrl, token: USDC })
  const facilitator = createHttpFacilitator({ url: config.facilitatorUrl })
  await checkLiveSettings(config, { chain, facilitator, token: USDC, log })
  const ledger = await openLiveStore(store)
  const app = await buildApp({
    baseUrl: config.baseUrl,
    payTo: config.payTo,
    facilitatorUrl: config.facilitatorUrl,
    facilitator,
    chain,
    ledger,
    dataDir: store.kind === 'sqlite' ? store.dataDir : null,
    cardKey: store.cardKey,
    receiptKey: store.receiptKey,
    secretKey: config.secretKey,
    secretKeyPrevious: config.secretKeyPrevious,
    finalityDepth: FINALITY_DEPTH,
    verifyAlways: config.facilitatorVerify === 'always',
    proofOnChain: config.settlementProof === 'chain',
    rateLimitUnpaid: config.rateLimitUnpaid,
    trustProxy: config.trustProxy,
    loopback: isLoopback(config.host),
    sandbox: false,
    now: Date.now,
    log,
  })
  const server = await listen(app.handler, config.host, config.port)
  log.info({ event: 'listening', mode: 'live', port: portOf(server) }, 'boot')
  return {
    url: config.baseUrl,
    stop: async () => {
      app.drain()
      await closeServer(server, SHUTDOWN_GRACE_MS)
      await app.close()
      facilitator.close()
      await ledger.close()
    },
  }
}
