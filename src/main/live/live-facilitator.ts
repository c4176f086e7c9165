import type { FacilitatorClient } from '@x402/core/server'
import { privateKeyToAccount } from 'viem/accounts'
import type { FacilitatorConfig, FacilitatorCredentials } from '../../config/facilitator.ts'
import type { LiveConfig } from '../../config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { openPostgresLock } from '../../ledger/postgres/postgres-lock.ts'
import type { Hex } from '../../payments/chain/chain-reader.ts'
import { bearerCredentials } from '../../payments/facilitators/bearer-credentials.ts'
import { cdpCredentials } from '../../payments/facilitators/cdp-credentials.ts'
import { createGasGauge, type GasLevel } from '../../payments/facilitators/gas-level.ts'
import { type Credentials, createHttpFacilitator } from '../../payments/facilitators/http-facilitator.ts'
import { recordSent } from '../../payments/facilitators/persist-transaction-hash.ts'
import { createSelfFacilitator } from '../../payments/facilitators/self-facilitator.ts'
import { withVerifyFallback } from '../../payments/facilitators/verify-fallback.ts'
import { CHAIN_ID, NETWORK } from '../../payments/terms/terms.ts'

/** Who settles in live mode. */
export interface LiveFacilitator {
  readonly client: FacilitatorClient
  /** As published: the operator's address, or the page that says that we settle ourselves. */
  readonly publicUrl: string
  /** How long the account that pays the gas will do; absent where somebody else pays it. */
  readonly gasLevel?: () => Promise<GasLevel>
  close(): Promise<void>
}

/** A facilitator of somebody else's, and one more that is asked to verify; null where this process settles itself. */
export function openForeignFacilitator(config: FacilitatorConfig): LiveFacilitator | null {
  if (config.kind === 'self') return null
  const { url, credentials, fallbackUrl } = config
  const admission = credentialsFor(url, credentials)
  const first = createHttpFacilitator({ url, ...(admission === undefined ? {} : { credentials: admission }) })
  if (fallbackUrl === null) return { client: first, publicUrl: url, close: async () => first.close() }
  // Of another operator, who is not shown what lets us in at the first.
  const second = createHttpFacilitator({ url: fallbackUrl })
  return {
    client: withVerifyFallback(first, second),
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
  { facilitator, rpcUrl, baseUrl, store }: Pick<LiveConfig, 'facilitator' | 'rpcUrl' | 'baseUrl' | 'store'>,
  { ledger, token }: { readonly ledger: Ledger; readonly token: Hex },
): LiveFacilitator {
  if (facilitator.kind !== 'self') throw new Error('another facilitator is configured')
  const { settlementKey: privateKey } = facilitator
  const { address: account } = privateKeyToAccount(privateKey)
  const turn =
    store.kind === 'postgres'
      ? openPostgresLock({ url: store.url, name: `send from ${account}`, ...SEND_TURN })
      : null
  return {
    client: createSelfFacilitator({
      rpcUrl,
      privateKey,
      chainId: CHAIN_ID,
      token,
      onSigned: recordSent({ ledger, network: NETWORK, token }),
      ...(turn === null ? {} : { lock: turn.run }),
    }),
    publicUrl: `${baseUrl}/facilitator`,
    gasLevel: createGasGauge({ rpcUrl, account }),
    close: async () => turn?.close(),
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
