import type { Hex } from 'viem'
import { type ChainReader, ChainUnavailable } from './chain-reader.ts'

export interface ExpectedChain {
  readonly chainId: number
  readonly token: Hex
}

/** How long a verdict on the node is kept: a node may be replaced behind its address. */
const VERIFIED_MS = 600_000
const WRONG_MS = 10_000

/**
 * A reader that uses a node only if it serves the expected chain with the token on it.
 *
 * Asked with the first question, and again now and then: a node may be away or misconfigured when the process starts,
 * and be right later. Every question to a wrong one rejects with fault `wrong_chain`.
 */
export function verifyChain(
  reader: ChainReader,
  { chainId, token }: ExpectedChain,
  monotonicMs: () => number = () => performance.now(),
): ChainReader {
  let verdict: { readonly isRight: boolean; readonly until: number } | null = null
  let asking: Promise<boolean> | null = null

  const ask = async () => {
    const isRight = (await reader.chainId()) === chainId && (await reader.hasCode(token))
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
      throw new ChainUnavailable('the node serves another chain, or one without the token', {
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
