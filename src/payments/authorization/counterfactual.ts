import type { Hex } from 'viem'
import { isErc6492Signature, parseErc6492Signature } from 'viem/utils'

/**
 * Whether a signature says how its wallet would be deployed (ERC-6492); `broken` if it says so and cannot be parsed.
 */
export function counterfactualForm(signature: Hex): 'none' | 'whole' | 'broken' {
  if (!isErc6492Signature(signature)) return 'none'
  try {
    parseErc6492Signature(signature)
    return 'whole'
  } catch {
    return 'broken'
  }
}
