/** The ports of the payment code. A reply of the facilitator is a step of its own, after the settlement was received. */
export type Port = 'ledger' | 'settle' | 'reply' | 'chain' | 'sleep'

/** Where a call comes from and what it asks for. */
export interface Place {
  readonly replica: number
  readonly port: Port
  readonly name: string
  readonly args: readonly unknown[]
}

/** A call that waits until the schedule says what becomes of it. */
export interface HeldCall extends Place {
  /** Runs the call and gives its result to the caller. */
  go(): void
  /** Fails the call; nothing was done. */
  fail(error: Error): void
  /** Runs the call, and the caller hears only of a failure. */
  goThenFail(error: Error): void
  /** Runs the call; its caller never hears of it. */
  goUnheard(): void
}

/** Turns of the event loop in which every call of a port has long ended: none of them waits for a clock or a disk. */
const MOST_TURNS = 1_000
/** Calls that run at once, between two moments of rest: more of them are a loop without end. */
const MOST_CALLS = 10_000
const RESTLESS = 'the code does not come to rest'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Holds the calls of every port, so that a schedule decides their order and their outcome. */
export class Stage {
  readonly held: HeldCall[] = []
  readonly #isHeld: (place: Place) => boolean
  #underWay = 0
  #callsAtOnce = 0

  /** `isHeld` says which calls wait for the schedule; the others run at once. */
  constructor(isHeld: (place: Place) => boolean = () => true) {
    this.#isHeld = isHeld
  }

  call<T>(place: Place, run: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    if (!this.#isHeld(place)) {
      this.#callsAtOnce += 1
      return this.#callsAtOnce > MOST_CALLS ? Promise.reject(new Error(RESTLESS)) : this.#run(run)
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const settle = (work: Promise<void>) => {
      this.#forget(held)
      void work
    }
    const held: HeldCall = {
      ...place,
      go: () => settle(this.#run(run).then(resolve, reject)),
      fail: (error) => settle(Promise.resolve().then(() => reject(error))),
      goThenFail: (error) => settle(this.#run(run).then(() => reject(error), reject)),
      goUnheard: () =>
        settle(
          this.#run(run).then(
            () => {},
            () => {},
          ),
        ),
    }
    this.held.push(held)
    signal?.addEventListener('abort', () => {
      this.#forget(held)
      reject(new Error('aborted'))
    })
    return promise
  }

  /** The held call that goes on next where nothing is to be chosen: a sleep only if nothing else is held. */
  first(): HeldCall | undefined {
    return this.held.find(({ port }) => port !== 'sleep') ?? this.held[0]
  }

  /** Waits until every process waits for the schedule, or has ended; throws if that never comes. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      await turn()
      this.#callsAtOnce = 0
      if (this.#underWay === 0) return
    }
    throw new Error(RESTLESS)
  }

  /** Drops all calls of a process that has crashed: none of them ever returns. */
  drop(replica: number): void {
    for (const held of this.held.filter((each) => each.replica === replica)) this.#forget(held)
  }

  #forget(held: HeldCall): void {
    const index = this.held.indexOf(held)
    if (index >= 0) this.held.splice(index, 1)
  }

  async #run<T>(run: () => Promise<T> | T): Promise<T> {
    this.#underWay += 1
    try {
      return await run()
    } finally {
      this.#underWay -= 1
    }
  }
}
