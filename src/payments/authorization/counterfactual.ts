import type { Hex } from 'viem'
import { isErc6492Signature, parseErc6492Signature } from 'viem/utils'

/** Whether a signature carries how its wallet would be made (ERC-6492): `none`, `whole`, or `broken` and refused. */
export function counterfactualForm(signature: Hex): 'none' | 'whole' | 'broken' {
  if (!isErc6492Signature(signature)) return 'none'
  try {
    parseErc6492Signature(signature)
    return 'whole'
  } catch {
    return 'broken'
  }
}
