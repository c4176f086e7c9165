import { concatHex, type Hex, isHex, type PublicClient, pad } from 'viem'
import { ChainUnavailable } from '../../../chain/chain-reader.ts'

/**
 * EVM code that takes the 32-byte words behind it as addresses: copies them to memory, replaces each by its EXTCODESIZE
 * and returns them.
 */
const PROGRAM: Hex = '0x6024380380602460003960005b81811015601f5780513b8152602001600c565b506000f3'

/**
 * How many bytes of code each address holds, by one `eth_call` that runs the program as the code of a contract that is
 * never created. Rejects if the node does not answer, or does not run it.
 */
export async function readCodeSizes(
  client: PublicClient,
  addresses: readonly Hex[],
): Promise<readonly number[]> {
  const data = concatHex([PROGRAM, ...addresses.map((address) => pad(address))])
  const sizes: unknown = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] })
  if (!isHex(sizes) || sizes.length !== 2 + 64 * addresses.length)
    throw new ChainUnavailable('the node did not answer with the sizes of code')
  return addresses.map((_, index) => Number(`0x${sizes.slice(2 + 64 * index, 66 + 64 * index)}`))
}
