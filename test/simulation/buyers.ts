import type { Asked, Sale, SignedCall } from './service.ts'

export const VALUES = [
  'GB82 WEST 1234 5698 7654 32',
  'DE89 3704 0044 0532 0130 00',
  'FR14 2004 1010 0505 0001 3M02 606',
] as const

/** What a schedule knows of one authorization. */
export interface Authorized {
  readonly signed: SignedCall
  /** What its first request asked for; a buyer's own repeats ask for the same. */
  readonly asked: Asked
  /** Every call the buyer has tried to pay for with it; one of them gets it. */
  readonly tried: Asked[]
  /** Moments, as step numbers, at which a facilitator received a settlement of it. */
  readonly sends: number[]
  /** Steps at which an answer said that nothing was charged. */
  readonly denials: number[]
  /** Steps at which a verdict left in full. */
  readonly deliveries: number[]
  /** Tasks that were answered as paid for by this very authorization. */
  readonly answeredTasks: Set<string>
  /** A send that may still land. */
  air: boolean
  /** The step at which the first request came in, and the time in milliseconds. */
  readonly cameIn: number
  readonly cameInMs: number
  /** Spent outside of this service. */
  spentElsewhere: boolean
  /** The authorization that was signed again for the same call, before its answer was delivered. */
  readonly insteadOf: Authorized | null
}

/** A request under way. */
export interface Request {
  readonly replica: number
  readonly authorized: Authorized
  readonly asked: Asked
  readonly isStranger: boolean
  readonly cameIn: number
  sale?: Sale
  defect?: unknown
}

export const valueOfTask = new Map<string, string>()

/** The value that a request is about. */
export const askedValue = (asked: Asked): string =>
  asked.kind === 'value' ? asked.value : (valueOfTask.get(asked.taskId) ?? '')

export const sameAsked = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other)
