import { ChainUnavailable } from '../../chain/chain-reader.ts'
import type { SaleContext } from './sale-context.ts'

/** Asks the chain; if the node does not answer, that is reported to the operator and `otherwise` answers. */
export async function askChain<Answer>(
  { report }: Pick<SaleContext, 'report'>,
  question: () => Promise<Answer>,
  otherwise: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    report({ event: 'chain_unavailable' })
    return otherwise()
  }
}
