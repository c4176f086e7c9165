import type { Block } from './chain-reader.ts'

/** Null while the chain is no longer than `finalityDepth`. */
export function finalBlock(head: Block, finalityDepth: bigint): bigint | null {
  return head.number > finalityDepth ? head.number - finalityDepth : null
}
