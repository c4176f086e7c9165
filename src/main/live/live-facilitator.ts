import type { FacilitatorClient } from '@x402/core/server'
import { privateKeyToAccount } from 'viem/accounts'
import type { FacilitatorConfig, FacilitatorCredentials } from '../../config/facilitator.ts'
import type { LiveConfig } from '../../config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { openPostgresLock } from '../../ledger/postgres/postgres-lock.ts'
import type { Log } from '../../log.ts'
import { USDC } from '../../payments/chain/usdc.ts'
import { bearerCredentials } from '../../payments/facilitators/bearer-credentials.ts'
import { cdpCredentials } from '../../payments/facilitators/cdp-credentials.ts'
import { withCircuitBreaker } from '../../payments/facilitators/circuit-breaker.ts'
import { createGasGauge, type GasLevel } from '../../payments/facilitators/gas-level.ts'
import { type Credentials, createHttpFacilitator } from '../../payments/facilitators/http-facilitator.ts'
import { persistTransactionHash } from '../../payments/facilitators/persist-transaction-hash.ts'
import { createSelfFacilitator } from '../../payments/facilitators/self-facilitator.ts'
import { createLedgerJournal } from '../../payments/facilitators/settlement-journal.ts'
import type { SettlementState } from '../../payments/facilitators/settlement-queue.ts'
import { withVerifyFallback } from '../../payments/facilitators/verify-fallback.ts'
import { CHAIN_ID, NETWORK } from '../../payments/terms/terms.ts'

/** Who settles in live mode. */
export interface LiveFacilitator {
  readonly client: FacilitatorClient
  /** As published: the operator's address, or the page that says that we settle ourselves. */
  readonly publicUrl: string
  /** Gas left in the account that pays for settlements; absent if the facilitator pays. */
  readonly gasLevel?: () => Promise<GasLevel>
  /** The queue of own settlements; absent if another party settles. */
  readonly settlementState?: () => SettlementState
  close(): Promise<void>
}

/** Opens the facilitator of another party, and the one that verifies as a fallback; null if this process settles. */
export function openForeignFacilitator(config: FacilitatorConfig, log: Log): LiveFacilitator | null {
  if (config.kind === 'self') return null
  const { url, credentials, fallbackUrl } = config
  const admission = credentialsFor(url, credentials)
  const first = createHttpFacilitator({ url, ...(admission === undefined ? {} : { credentials: admission }) })
  const guarded = withCircuitBreaker(first, {
    onChange: (isOpen) =>
      log.warn(
        { event: isOpen ? 'facilitator_held_back' : 'facilitator_resumed', setting: 'FACILITATOR_URL' },
        'facilitator',
      ),
  })
  if (fallbackUrl === null) return { client: guarded, publicUrl: url, close: async () => first.close() }
  // Of another operator, who is not shown what lets us in at the first.
  const second = createHttpFacilitator({ url: fallbackUrl })
  return {
    client: withVerifyFallback(guarded, second),
    publicUrl: url,
    close: async () => {
      first.close()
      second.close()
    },
  }
}

/** How long a settlement waits for another replica to send, and how long sending may take; see self-facilitator.ts. */
const SEND_TURN = { waitMs: 5_000, holdMs: 30_000 }

/**
 * The one in this process: each transaction is on its payment's row before it leaves. Replicas on one database that
 * settle with the same key send one at a time.
 */
export function openOwnFacilitator(
  {
    facilitator,
    rpcUrls,
    baseUrl,
    store,
    receiverAuthorizerKey,
  }: Pick<LiveConfig, 'facilitator' | 'rpcUrls' | 'baseUrl' | 'store' | 'receiverAuthorizerKey'>,
  ledger: Ledger,
): LiveFacilitator {
  if (facilitator.kind !== 'self') throw new Error('another facilitator is configured')
  const { settlementKey: privateKey, maxCost, contractWallets } = facilitator
  const { address: account } = privateKeyToAccount(privateKey)
  const turn =
    store.kind === 'postgres'
      ? openPostgresLock({ url: store.url, name: `send from ${account}`, ...SEND_TURN })
      : null
  const client = createSelfFacilitator({
    rpcUrls,
    privateKey,
    chainId: CHAIN_ID,
    token: USDC,
    channels: receiverAuthorizerKey !== null,
    maxCost,
    contractWallets,
    journal: createLedgerJournal(ledger, account),
    onSigned: persistTransactionHash({ ledger, network: NETWORK, token: USDC }),
    ...(turn === null ? {} : { lock: turn.run }),
  })
  return {
    client,
    publicUrl: `${baseUrl}/facilitator`,
    gasLevel: createGasGauge({ rpcUrls, account }),
    settlementState: client.settlementState,
    close: async () => {
      client.close()
      await turn?.close()
    },
  }
}

function credentialsFor(url: string, credentials: FacilitatorCredentials): Credentials | undefined {
  switch (credentials.kind) {
    case 'none':
      return undefined
    case 'bearer':
      return bearerCredentials(credentials.token)
    case 'cdp':
      return cdpCredentials({ url, keyId: credentials.keyId, key: credentials.key })
  }
}
