import type { Block, ChainReader } from './chain-reader.ts'

/** Base makes a block every two seconds; a chain that makes them faster only costs more steps. */
const SECONDS_PER_BLOCK = 2
/** Enough to walk back over weeks with doubling steps. */
const MOST_STEPS = 24

/** The newest block this search meets whose timestamp is before `time` (UTC seconds); null when there is none. */
export async function blockBefore(chain: ChainReader, head: Block, time: number): Promise<Block | null> {
  let block = head
  let step = BigInt(Math.max(1, Math.ceil((head.timestamp - time) / SECONDS_PER_BLOCK) + 1))
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    if (block.timestamp < time) return block
    if (block.number === 0n) return null
    block = await chain.block(block.number > step ? block.number - step : 0n)
    step *= 2n
  }
  return null
}
