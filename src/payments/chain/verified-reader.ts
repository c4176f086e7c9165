import { domainSeparator, type Hex } from 'viem'
import { type ChainReader, ChainUnavailable } from './chain-reader.ts'

/** A reader that also says for what its token takes signatures. */
export interface NodeReader extends ChainReader {
  /** The token's `DOMAIN_SEPARATOR()`; `0x` where there is no such token. */
  domainSeparator(): Promise<Hex>
}

/** What a node is to serve: a chain, and on it a token with this EIP-712 domain. */
interface ServedChain {
  readonly chainId: number
  readonly token: {
    readonly address: Hex
    readonly domain: { readonly name: string; readonly version: string }
  }
}

/** How long a verdict on the node is kept: a node may be replaced behind its address. */
const VERIFIED_MS = 600_000
const WRONG_MS = 10_000

/**
 * A reader that uses a node only if it serves the network: its chain, and its token with the EIP-712 domain of the
 * table, since buyers sign for that one.
 *
 * Asked with the first question, and again now and then: a node may be away or misconfigured when the process starts,
 * and be right later. Every question to a wrong one rejects with fault `wrong_chain`.
 */
export function verifyChain(
  reader: NodeReader,
  { chainId, token }: ServedChain,
  monotonicMs: () => number = () => performance.now(),
): ChainReader {
  const domain = { ...token.domain, chainId, verifyingContract: token.address }
  const separator = domainSeparator({ domain })
  let verdict: { readonly isRight: boolean; readonly until: number } | null = null
  let asking: Promise<boolean> | null = null

  const ask = async () => {
    const isRight = (await reader.chainId()) === chainId && (await reader.domainSeparator()) === separator
    verdict = { isRight, until: monotonicMs() + (isRight ? VERIFIED_MS : WRONG_MS) }
    return isRight
  }
  const isRight = () => {
    if (verdict !== null && verdict.until > monotonicMs()) return verdict.isRight
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
  const checked =
    <Args extends unknown[], Answer>(question: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (await isRight()) return question(...args)
      throw new ChainUnavailable('the node serves another chain, or one with another token', {
        fault: 'wrong_chain',
      })
    }
  return {
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
