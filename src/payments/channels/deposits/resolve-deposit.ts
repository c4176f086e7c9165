import type { Hex } from 'viem'
import type { DepositRow } from '../../../ledger/channels/deposit-row.ts'
import { NO_LEASE } from '../../../ledger/payments/payment-row.ts'
import { finalBlock } from '../../chain/final-block.ts'
import type { ChannelContext } from '../channel-context.ts'

/** Writes what the chain says of a deposit; `open` while it may still be mined. May reject with ChainUnavailable. */
export async function resolveDeposit(
  { chain, ledger }: ChannelContext,
  row: DepositRow,
): Promise<'landed' | 'void' | 'open'> {
  const [payer, nonce] = [row.payer as Hex, row.nonce as Hex]
  if (await chain.authorizationUsed(payer, nonce)) {
    await ledger.moveDeposit(row, { ...NO_LEASE, state: 'landed' })
    return 'landed'
  }
  const final = finalBlock(await chain.head(), chain)
  if (final === null) return 'open'
  const block = await chain.block(final)
  // Unused in a final block past its end: it can never be used.
  if (block.timestamp < row.validBefore || (await chain.authorizationUsed(payer, nonce, block.number)))
    return 'open'
  await ledger.moveDeposit(row, null)
  return 'void'
}
