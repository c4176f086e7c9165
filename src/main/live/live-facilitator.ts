import type { FacilitatorClient } from '@x402/core/server'
import { PRICE_UNITS } from '../../catalog/price.ts'
import type { FacilitatorConfig, FacilitatorCredentials } from '../../config/facilitator.ts'
import type { Log } from '../../log.ts'
import type { Admits } from '../../payments/channels/channel-context.ts'
import { withCircuitBreaker } from '../../payments/facilitators/circuit-breaker.ts'
import { cdpCredentials } from '../../payments/facilitators/http/cdp-credentials.ts'
import { type Credentials, createHttpFacilitator } from '../../payments/facilitators/http/http-facilitator.ts'
import type { GasLevel, SettlementState } from '../../payments/ports/own-settlement.ts'

export interface LiveFacilitator {
  readonly client: FacilitatorClient
  /** The facilitator's address, or our page about settling ourselves. */
  readonly publicUrl: string
  readonly gasLevel?: () => Promise<GasLevel>
  readonly admits?: Admits
  readonly settlementState?: () => SettlementState
  readonly facilitatorFee?: bigint
  close(): Promise<void>
}

export function openForeignFacilitator(
  { url, credentials, fee }: Extract<FacilitatorConfig, { kind: 'http' }>,
  log: Log,
): LiveFacilitator {
  if (fee >= PRICE_UNITS)
    log.warn({ event: 'sold_without_profit', setting: 'FACILITATOR_FEE_USD' }, 'startup')
  const admission = credentialsFor(url, credentials)
  const first = createHttpFacilitator({ url, ...(admission === undefined ? {} : { credentials: admission }) })
  const guarded = withCircuitBreaker(first, (isOpen) =>
    log.warn(
      { event: isOpen ? 'facilitator_held_back' : 'facilitator_resumed', setting: 'FACILITATOR_URL' },
      'facilitator',
    ),
  )
  return { client: guarded, publicUrl: url, facilitatorFee: fee, close: async () => first.close() }
}

function credentialsFor(url: string, credentials: FacilitatorCredentials): Credentials | undefined {
  switch (credentials.kind) {
    case 'none':
      return undefined
    case 'bearer':
      return async () => ({ authorization: `Bearer ${credentials.token}` })
    case 'cdp':
      return cdpCredentials({ url, keyId: credentials.keyId, key: credentials.key })
  }
}
