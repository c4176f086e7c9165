import type { PublicClient } from 'viem'

/**
 * UTC seconds of the newest block. The token compares an authorization's end with a block's time, so this process's clock
 * must not decide that one has ended.
 */
export const newestBlockTime = async (client: PublicClient): Promise<number> =>
  Number((await client.getBlock()).timestamp)
