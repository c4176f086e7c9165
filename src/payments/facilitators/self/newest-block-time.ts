import type { PublicClient } from 'viem'

/**
 * UTC seconds by the newest block: the token judges by a block's time whether an authorization has ended, so a clock of
 * ours that is ahead must not give one up.
 */
export const newestBlockTime = async (client: PublicClient): Promise<number> =>
  Number((await client.getBlock()).timestamp)
