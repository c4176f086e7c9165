import type { KeyObject } from 'node:crypto'
import type { Hex } from 'viem'
import { isLoopback } from '../values/loopback.ts'
import type { CleanSettings } from './settings.ts'

export type FacilitatorCredentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  /** An API key of the Coinbase Developer Platform: a token signed for each path. */
  | { readonly kind: 'cdp'; readonly keyId: string; readonly key: KeyObject }

export type FacilitatorConfig =
  | {
      readonly kind: 'http'
      readonly url: string
      readonly credentials: FacilitatorCredentials
      /** For each settlement, in millionths of a dollar. */
      readonly fee: bigint
    }
  /** This process settles, over RPC_URL. */
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
      /** The most settlements in one transaction, and how long they gather. */
      readonly batch: { readonly most: number; readonly gatherMs: number }
    }

type FacilitatorSettings = CleanSettings & { readonly FACILITATOR_URL: string }

/** Three times the price of a call (skills/price.ts), in millionths of a dollar. */
export const MAX_COST_USD = 3_000n
/** Base caps the gas of a transaction, and a transaction with a large gas limit waits. */
const MOST_IN_BATCH = 128
const DAILY_LOSS_USD = 5_000_000n
const MILLIONTHS = 1_000_000n
const WEI = 10n ** 18n

/** Millionths of a dollar in wei. */
export const weiOf = (usd: bigint, ethUsd: bigint): bigint => (usd * WEI) / (ethUsd * MILLIONTHS)

/** Settings for a facilitator of another party. */
const OF_ANOTHER = [
  'FACILITATOR_TOKEN',
  'CDP_API_KEY_ID',
  'CDP_API_KEY_SECRET',
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
  const { SETTLEMENT_KEY: settlementKey, SETTLEMENT_BATCH_MOST: most, SIGNER_SOCKET } = settings
  if (most < 1 || most > MOST_IN_BATCH) faults.push(`SETTLEMENT_BATCH_MOST: must be 1 to ${MOST_IN_BATCH}`)
  if (settlementKey !== undefined || SIGNER_SOCKET !== undefined) {
    const maxCostUsd = settings.SETTLEMENT_MAX_COST_USD ?? MAX_COST_USD
    const ethUsd = BigInt(Math.max(1, settings.SETTLEMENT_ETH_USD))
    return {
      kind: 'self',
      settlementKey: settlementKey ?? null,
      maxCost: weiOf(maxCostUsd, ethUsd),
      dailyLoss: settings.SETTLEMENT_DAILY_LOSS_USD ?? DAILY_LOSS_USD,
      ethUsd,
      contractWallets: settings.SETTLEMENT_CONTRACT_WALLETS,
      batch: { most, gatherMs: settings.SETTLEMENT_BATCH_MS },
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
  const credentials = readCredentials(settings, faults)
  const { protocol, hostname } = new URL(url)
  if (credentials.kind !== 'none' && protocol !== 'https:' && !isLoopback(hostname)) {
    faults.push('FACILITATOR_URL: must be https where credentials are sent to it')
  }
  return { kind: 'http', url, credentials, fee: settings.FACILITATOR_FEE_USD ?? 0n }
}

function readCredentials(settings: FacilitatorSettings, faults: string[]): FacilitatorCredentials {
  const { FACILITATOR_TOKEN: token, CDP_API_KEY_ID: keyId, CDP_API_KEY_SECRET: key } = settings
  if (token !== undefined && (keyId !== undefined || key !== undefined)) {
    faults.push(
      'FACILITATOR_TOKEN: is set beside CDP_API_KEY_ID or CDP_API_KEY_SECRET; one facilitator takes one',
    )
  }
  if (keyId !== undefined && key !== undefined) return { kind: 'cdp', keyId, key }
  if (keyId !== undefined) faults.push('CDP_API_KEY_SECRET: missing; CDP_API_KEY_ID is set')
  if (key !== undefined) faults.push('CDP_API_KEY_ID: missing; CDP_API_KEY_SECRET is set')
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token }
}
