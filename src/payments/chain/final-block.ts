import type { Block } from './chain-reader.ts'

/** The number of the newest final block, `finalityDepth` under the head; null while the chain is no longer than that. */
export function finalBlock(head: Block, finalityDepth: bigint): bigint | null {
  return head.number > finalityDepth ? head.number - finalityDepth : null
}
