/** What may happen in a schedule beside plain sales. */
export interface Faults {
  readonly steps: number
  readonly store?: boolean
  readonly node?: boolean
  readonly crashes?: boolean
  /** The machine of the store loses what was not flushed. */
  readonly power?: boolean
  readonly word?: boolean
  readonly lateBlocks?: boolean
  readonly elsewhere?: boolean
  readonly strangers?: boolean
  readonly newSignatures?: boolean
  /** The buyer signs twice at the same moment, and each replica gets one of the two. */
  readonly rivals?: boolean
  readonly tasks?: boolean
  readonly longWaits?: boolean
  /** New settlements are paused now and then, as while a node or the facilitator is away. */
  readonly pauses?: boolean
  /** The buyer may have money for one call only. */
  readonly poor?: boolean
  /** The buyer may sign once more for a task, whatever became of the first payment for it. */
  readonly paidTasks?: boolean
  /** The buyer also signs for another value. */
  readonly otherCalls?: boolean
  /** A call of a port may take long, while other requests go on. */
  readonly slow?: boolean
  /** Nothing reaches the facilitator for a while. */
  readonly away?: boolean
  /** Another wallet may pay for a task, too. */
  readonly wallets?: boolean
  /** The buyer also asks for another value with the same signature. */
  readonly differing?: boolean
}

/** The faults of the first findings: their seeds mean the same schedules as long as this list does not grow. */
export const FIRST_FAULTS: Faults = {
  steps: 70,
  store: true,
  node: true,
  crashes: true,
  power: true,
  word: true,
  lateBlocks: true,
  elsewhere: true,
  strangers: true,
  newSignatures: true,
  rivals: true,
  tasks: true,
  longWaits: true,
}

export const ALL_FAULTS: Faults = {
  ...FIRST_FAULTS,
  pauses: true,
  poor: true,
  paidTasks: true,
  otherCalls: true,
  slow: true,
  away: true,
  wallets: true,
  differing: true,
}
