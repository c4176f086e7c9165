import type { PublicClient } from 'viem'

/**
 * Number and UTC seconds of the newest block. The token compares an authorization's end with a block's time, so this
 * process's clock must not decide that one has ended.
 */
export const newestBlock = async (
  client: PublicClient,
): Promise<{ readonly number: number; readonly time: number }> => {
  const { number, timestamp } = await client.getBlock()
  return { number: Number(number), time: Number(timestamp) }
}
