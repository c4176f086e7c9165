import type { Block, ChainReader } from './chain-reader.ts'

/** Null while the chain is no longer than its finality is deep. */
export function finalBlock(
  head: Block,
  { finalityDepth }: Pick<ChainReader, 'finalityDepth'>,
): bigint | null {
  return head.number > finalityDepth ? head.number - finalityDepth : null
}
