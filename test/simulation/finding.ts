/** What a schedule broke, and what happened on the way. */
export interface Finding {
  readonly promise: string
  readonly trace: readonly string[]
}

/** Thrown by a schedule for a promise that was not kept. */
export class Broken extends Error {}

export const insist = (isSo: boolean, promise: string): void => {
  if (!isSo) throw new Broken(promise)
}

export interface Playable {
  readonly trace: readonly string[]
  run(): Promise<void>
  /** All faults end, and what was promised comes true. */
  heal(): Promise<void>
}

/** Runs one schedule to its end and through the healing; null when every promise was kept. */
export async function findingOf(schedule: Playable): Promise<Finding | null> {
  try {
    await schedule.run()
    await schedule.heal()
    return null
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { promise: error.message, trace: schedule.trace }
  }
}
