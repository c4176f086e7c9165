import { getAddress, type Hex } from 'viem'
import { USDC } from '../../payments/chain/usdc.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** Checks the address that is paid: a wrong one loses every payment. */
export function checkPayTo(payTo: Hex): Finding {
  const checksummed = getAddress(payTo)
  if (checksummed === getAddress(USDC)) {
    return fail('pay_to', 'PAY_TO is the token itself; payments to it are lost', 'Set your own address.')
  }
  if (payTo === checksummed) return pass('pay_to', `${payTo}, EIP-55 checksum correct`)
  // A wrong checksum does not pass the settings; one case throughout is an address without a checksum.
  return warn(
    'pay_to',
    'PAY_TO has no checksum, so a typing error would go unnoticed',
    'Compare it with your wallet and set it as your wallet shows it, in upper and lower case.',
  )
}
