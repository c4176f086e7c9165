/** A small deterministic generator (mulberry32), so that every test run sees the same inputs. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 to `below` - 1. */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }

  pick<T>(choices: ArrayLike<T>): T {
    return choices[this.int(choices.length)] as T
  }

  /** A string of characters picked from `alphabet`. */
  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick(alphabet)).join('')
  }
}
