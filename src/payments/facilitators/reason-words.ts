import type { Symptom } from './facilitator-fault.ts'

/** A reason with any other word, e.g. a payer or a text that was sent to the facilitator, is kept out of the log. */
const WORDS = new Set(
  `account address after allowance allowed already amount and asset authorization balance base before broadcast
  chain confirm confirmation confirmed contract credential data deadline deployed deployment destination domain
  duplicate early eip1559 eip2612 eip3009 eip6492 eip712 elsewhere erc1271 error estimate event evm exact exceeded
  execute expired facilitator factory failed failure from fund funds gas in insufficient internal invalid kyt limit
  limited low message mined mismatch missing name network node nonce not out owner parse payer payload payment
  pending permit2 rate recipient rejected required requirements resource revert reverted rpc sanctioned scheme send
  server service settle settled settlement signature simulation smart spent state submit supported time timed timeout
  to token too transaction transfer typed unable unauthorized unavailable undeployed unexpected unknown unsupported
  used valid value verify version wallet x402 yet`.split(/\s+/),
)
const MOST_WORDS = 12

export function symptomOfReason(reason: unknown): Symptom {
  if (reason === undefined || reason === null || reason === '') return {}
  const words = typeof reason === 'string' ? reason.split('_', MOST_WORDS + 1) : []
  const isKnown = words.length > 0 && words.length <= MOST_WORDS && words.every((word) => WORDS.has(word))
  return { code: isKnown ? (reason as string) : 'other_reason' }
}
