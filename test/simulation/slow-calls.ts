import type { Choices } from './choices.ts'
import type { HeldCall } from './stage.ts'

/** Calls of a port that take long, while other requests go on. */
export class SlowCalls {
  readonly #calls = new Set<HeldCall>()
  readonly #choices: Pick<Choices, 'rarely'>

  constructor(choices: Pick<Choices, 'rarely'>) {
    this.#choices = choices
  }

  add(call: HeldCall): void {
    this.#calls.add(call)
  }

  clear(): void {
    this.#calls.clear()
  }

  /** What may go on; calls that take long are among it again after a while, or if there is nothing else. */
  ready(held: readonly HeldCall[]): readonly HeldCall[] {
    if (this.#calls.size === 0) return held
    const ready = held.filter((call) => !this.#calls.has(call))
    if (this.#choices.rarely(ready.length === 0 ? 3 : 15)) this.clear()
    return ready
  }
}
