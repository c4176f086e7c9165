import type { Block } from './chain-reader.ts'

/**
 * Number of the newest block that counts as final: `finalityDepth` blocks under the head. Null while the chain is no longer
 * than that; its first block holds nothing of ours.
 */
export function finalBlock(head: Block, finalityDepth: bigint): bigint | null {
  return head.number > finalityDepth ? head.number - finalityDepth : null
}
