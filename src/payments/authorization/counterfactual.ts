import { isErc6492Signature, parseErc6492Signature } from 'viem/utils'
import type { Hex } from '../chain/chain-reader.ts'

/**
 * Whether a signature is wrapped with how its wallet would be made (ERC-6492): not at all, whole, or out of form, which
 * nobody needs to be asked about.
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
