import { domainSeparator, type Hex } from 'viem'
import { memoize } from '../../caches/memoize.ts'
import { type ChainReader, ChainUnavailable } from './chain-reader.ts'

/** What one node says, whatever network it is of. */
export interface NodeReader extends Omit<ChainReader, 'finalityDepth'> {
  /** The token's `DOMAIN_SEPARATOR()`; `0x` without such a token. */
  domainSeparator(): Promise<Hex>
}

interface ServedChain {
  readonly chainId: number
  readonly finalityDepth: bigint
  readonly token: {
    readonly address: Hex
    readonly domain: { readonly name: string; readonly version: string }
  }
}

/** How long a verdict on the node is kept: another node may take its place behind the same URL. */
const VERIFIED_MS = 600_000
const WRONG_MS = 10_000

/**
 * Rejects with fault `wrong_chain` unless the node serves the chain, and the token with the EIP-712 domain that buyers
 * sign for. Checked at the first question, because the node may be down when the process starts.
 */
export function verifyChain(reader: NodeReader, { chainId, finalityDepth, token }: ServedChain): ChainReader {
  const domain = { ...token.domain, chainId, verifyingContract: token.address }
  const separator = domainSeparator({ domain })
  let verdict: { readonly isRight: boolean; readonly until: number } | null = null

  const ask = memoize(async () => {
    const isRight = (await reader.chainId()) === chainId && (await reader.domainSeparator()) === separator
    verdict = { isRight, until: performance.now() + (isRight ? VERIFIED_MS : WRONG_MS) }
    return isRight
  }, 0)
  const isRight = () => (verdict !== null && verdict.until > performance.now() ? verdict.isRight : ask())
  const checked =
    <Args extends unknown[], Answer>(question: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (await isRight()) return question(...args)
      throw new ChainUnavailable('the node serves another chain, or one with another token', {
        fault: 'wrong_chain',
      })
    }
  return {
    finalityDepth,
    head: checked(reader.head),
    block: checked(reader.block),
    hasCode: checked(reader.hasCode),
    balance: checked(reader.balance),
    authorizationUsed: checked(reader.authorizationUsed),
    trace: checked(reader.trace),
    transfersTo: checked(reader.transfersTo),
    chainId: reader.chainId,
  }
}
