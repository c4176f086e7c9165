import type { DepositRow } from '../../../ledger/channel-store.ts'
import type { ChannelAttempt, ChannelContext } from '../sale/channel-context.ts'
import { depositNonce } from '../voucher/digests.ts'

const SENT: readonly DepositRow['state'][] = ['sending', 'landed']

/** Whether the deposit of a call, or one that was signed for the same call before, may have been sent. */
export async function mayBeIn(
  { ledger }: Pick<ChannelContext, 'ledger'>,
  { payment }: ChannelAttempt,
): Promise<boolean> {
  const { voucher, config, deposit } = payment
  if (deposit === undefined) return false
  const own = await ledger.findDeposit(config.payer, depositNonce(voucher.channelId, deposit.salt))
  const alike = await ledger.depositsWith(voucher.channelId, voucher.amount)
  return [own, ...alike].some((row) => row !== null && SENT.includes(row.state))
}
