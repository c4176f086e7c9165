import type { Hex } from 'viem'
import { isLoopback } from '../values/loopback.ts'
import type { FacilitatorToken } from './facilitator-token.ts'
import type { CleanSettings } from './settings.ts'

export type FacilitatorCredentials = { readonly kind: 'none' } | FacilitatorToken

export type FacilitatorConfig =
  | {
      readonly kind: 'http'
      readonly url: string
      readonly credentials: FacilitatorCredentials
      /** For each settlement, in millionths of a dollar. */
      readonly fee: bigint
    }
  | {
      readonly kind: 'self'
      /** Pays the gas; null if the signer holds it. */
      readonly settlementKey: Hex | null
      /** The most one settlement may cost, in wei. */
      readonly maxCost: bigint
      /** What settling may lose in a UTC day, in millionths of a dollar. */
      readonly dailyLoss: bigint
      /** Dollars for one ether. */
      readonly ethUsd: bigint
      readonly contractWallets: 'accept' | 'refuse'
    }

type FacilitatorSettings = CleanSettings & { readonly FACILITATOR_URL: string }

const MILLIONTHS = 1_000_000n
const WEI = 10n ** 18n

/** Millionths of a dollar in wei. */
export const weiOf = (usd: bigint, ethUsd: bigint): bigint => (usd * WEI) / (ethUsd * MILLIONTHS)

const OF_ANOTHER = [
  'FACILITATOR_TOKEN',
  'FACILITATOR_FEE_USD',
] as const satisfies readonly (keyof FacilitatorSettings)[]

/** Settings that the sandbox refuses, since it brings its own facilitator. */
export const FACILITATOR_EXTRAS = [...OF_ANOTHER, 'SETTLEMENT_KEY', 'SIGNER_SOCKET'] as const

/** Undefined if it adds a line to `faults`. */
export function readFacilitator(
  settings: FacilitatorSettings,
  faults: string[],
): FacilitatorConfig | undefined {
  const before = faults.length
  const config = settings.FACILITATOR_URL === 'self' ? readSelf(settings, faults) : readHttp(settings, faults)
  return faults.length === before ? config : undefined
}

function readSelf(settings: FacilitatorSettings, faults: string[]): FacilitatorConfig | undefined {
  for (const name of OF_ANOTHER) {
    if (settings[name] !== undefined) {
      faults.push(`${name}: is set, and FACILITATOR_URL=self asks no other facilitator`)
    }
  }
  const { SETTLEMENT_KEY: settlementKey, SIGNER_SOCKET } = settings
  if (settlementKey !== undefined || SIGNER_SOCKET !== undefined) {
    const ethUsd = BigInt(Math.max(1, settings.SETTLEMENT_ETH_USD))
    return {
      kind: 'self',
      settlementKey: settlementKey ?? null,
      maxCost: weiOf(settings.SETTLEMENT_MAX_COST_USD, ethUsd),
      dailyLoss: settings.SETTLEMENT_DAILY_LOSS_USD,
      ethUsd,
      contractWallets: settings.SETTLEMENT_CONTRACT_WALLETS,
    }
  }
  faults.push('SETTLEMENT_KEY: missing; FACILITATOR_URL=self pays for gas with it')
  return undefined
}

function readHttp(settings: FacilitatorSettings, faults: string[]): FacilitatorConfig {
  const { FACILITATOR_URL: url, SETTLEMENT_KEY } = settings
  if (SETTLEMENT_KEY !== undefined) {
    faults.push('SETTLEMENT_KEY: is set, and only FACILITATOR_URL=self settles with it')
  }
  const credentials = settings.FACILITATOR_TOKEN ?? ({ kind: 'none' } as const)
  const { protocol, hostname } = new URL(url)
  if (credentials.kind !== 'none' && protocol !== 'https:' && !isLoopback(hostname)) {
    faults.push('FACILITATOR_URL: must be https where credentials are sent to it')
  }
  return { kind: 'http', url, credentials, fee: settings.FACILITATOR_FEE_USD ?? 0n }
}
