/**
 * Queues of a simulation. Each takes the moments at which sales arrive, in milliseconds and in order, and gives those at
 * which they leave, in the same order.
 */
import type { SeededRandom } from '../../test/support/seeded-random.ts'

export type Moments = readonly number[]
export type Queue = (moments: Moments) => Moments

/** Arrivals at random moments (a Poisson process), as of many buyers that know nothing of each other. */
export function arrivals(random: SeededRandom, perSecond: number, count: number): Moments {
  let at = 0
  return Array.from({ length: count }, () => {
    at -= (Math.log1p(-random.int(2 ** 31) / 2 ** 31) * 1_000) / perSecond
    return at
  })
}

/** Several servers with one line; each serves one sale at a time. */
export const serve =
  (servers: number, milliseconds: number): Queue =>
  (moments) => {
    const free = new Float64Array(servers)
    return moments.map((at) => {
      let next = 0
      for (let index = 1; index < servers; index++) if (free[index]! < free[next]!) next = index
      free[next] = Math.max(at, free[next]!) + milliseconds
      return free[next]!
    })
  }

/** One flush at a time; it takes all that wait when it begins. */
export const flush =
  (milliseconds: number): Queue =>
  (moments) => {
    const left: number[] = []
    for (let ended = 0; left.length < moments.length; ) {
      const begun = Math.max(ended, moments[left.length]!)
      ended = begun + milliseconds
      while (moments[left.length]! <= begun) left.push(ended)
    }
    return left
  }

/** A block takes what waits when it is made, at most `most`. */
export const blocks =
  (everyMs: number, most: number): Queue =>
  (moments) => {
    const left: number[] = []
    for (let block = everyMs; left.length < moments.length; block += everyMs)
      for (let room = most; room > 0 && moments[left.length]! <= block; room--) left.push(block)
    return left
  }

/** As many queues of one kind side by side; each sale goes to one drawn at random, as by its payer. */
export const sideBySide =
  (random: SeededRandom, count: number, queue: Queue): Queue =>
  (moments) => {
    const lanes = Array.from({ length: count }, (): number[] => [])
    const places = moments.map((at) => {
      const lane = random.int(count)
      return [lane, lanes[lane]!.push(at) - 1] as const
    })
    const left = lanes.map(queue)
    return places.map(([lane, index]) => left[lane]![index]!)
  }

/** How long each sale is in a queue, and when it leaves, whatever order they come in. */
export function pass(moments: Moments, queue: Queue): { readonly left: Moments; readonly taken: Moments } {
  const order = moments.map((_, index) => index).toSorted((a, b) => moments[a]! - moments[b]!)
  const left: number[] = []
  for (const [place, at] of queue(order.map((index) => moments[index]!)).entries()) left[order[place]!] = at
  return { left, taken: left.map((at, index) => at - moments[index]!) }
}
