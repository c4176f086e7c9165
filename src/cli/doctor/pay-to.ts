import { getAddress } from 'viem'
import { USDC } from '../../main/live/start-live.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** Checks the address that is paid: a wrong one loses every payment. */
export function checkPayTo(payTo: `0x${string}`): Finding {
  const checksummed = getAddress(payTo)
  if (checksummed === getAddress(USDC)) {
    return fail('pay_to', 'PAY_TO is the token itself; payments to it are lost', 'Set your own address.')
  }
  if (payTo === checksummed) return pass('pay_to', `${payTo}, EIP-55 checksum correct`)
  const digits = payTo.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) {
    return warn(
      'pay_to',
      'PAY_TO has no checksum, so a typing error would go unnoticed',
      'Compare it with your wallet and set it as your wallet shows it, in upper and lower case.',
    )
  }
  return fail(
    'pay_to',
    'PAY_TO has a wrong EIP-55 checksum: at least one character is wrong',
    'Copy the address from your wallet again.',
  )
}
