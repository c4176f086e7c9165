import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'

/** The writes of a sale, in the order they are made. */
export const STORE_STEPS = ['claim', 'settled'] as const
export type StoreStep = (typeof STORE_STEPS)[number]

/** What happens to a write. */
export const STORE_ACTS = [
  /** The process is killed before the store is asked, or once it has the write on disk. */
  'kill-before',
  'kill-after',
  /** The connection breaks before the store has the write, or once it has it and before it can say so. */
  'down',
  'unheard',
  /** It takes a second. */
  'slow',
  'read-only',
  'full',
] as const
export type StoreAct = (typeof STORE_ACTS)[number]

export interface StoreFault {
  readonly step: StoreStep
  readonly act: StoreAct
  /** How many writes fail in this way, at most 255. */
  readonly times: number
}

/**
 * A buyer chooses the nonce of an authorization, and the service hands it to the store with every write of the sale. So
 * the nonce says which fault a sale meets, and sales with different faults can run side by side.
 */
const MARK = 'f4017000'

/** A fresh nonce for a sale that is to meet a fault of the store. */
export function faultNonce({ step, act, times }: StoreFault): Hex {
  const plan = [STORE_STEPS.indexOf(step), STORE_ACTS.indexOf(act), times]
  const bytes = plan.map((part) => part.toString(16).padStart(2, '0')).join('')
  return `0x${MARK}${bytes}${randomBytes(25).toString('hex')}`
}

/** The fault a nonce asks for; null for an ordinary one. */
export function faultOf(nonce: unknown): StoreFault | null {
  if (typeof nonce !== 'string' || !nonce.startsWith(`0x${MARK}`)) return null
  const part = (index: number) => Number.parseInt(nonce.slice(10 + index * 2, 12 + index * 2), 16)
  const step = STORE_STEPS[part(0)]
  const act = STORE_ACTS[part(1)]
  return step === undefined || act === undefined ? null : { step, act, times: part(2) }
}
