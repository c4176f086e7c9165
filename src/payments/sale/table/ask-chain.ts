import { ChainUnavailable } from '../../chain/chain-reader.ts'
import type { SaleContext } from './sale-context.ts'

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
