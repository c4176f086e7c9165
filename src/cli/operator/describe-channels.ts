import type { ChannelDifference, ChannelReconciliation } from '../../payments/channels/reconcile-channels.ts'
import { usdc } from '../usdc.ts'

const WORDS: Readonly<Record<ChannelDifference['kind'], string>> = {
  ahead: 'claimed beyond what this store charged: the store is older than the chain',
  lost: 'charged beyond what is left: the payer has withdrawn it',
  behind: 'the contract shows less than it did: the node is behind, or blocks were replaced',
}

export function describeChannels({
  deposits,
  equal,
  updated,
  unclaimed,
  differences,
  claimed,
  unpaid,
  claimedWithoutRow,
  complete,
}: ChannelReconciliation): string {
  return [
    'deposits into payment channels',
    `  landed   ${deposits.landed}  found on the chain`,
    `  void     ${deposits.void}  not taken, and expired`,
    `  open     ${deposits.open}  not certain yet`,
    'payment channels',
    `  equal    ${equal}  the contract says what this store says`,
    `  updated  ${updated}  the store has the contract's word now`,
    `  differ   ${differences.length}`,
    ...differences.map(
      ({ channel, kind, amount }) => `             ${channel} ${usdc(amount)} ${WORDS[kind]}`,
    ),
    `  unclaimed ${usdc(unclaimed)}  charged; a service with CHANNELS=on claims it`,
    `  claimed  ${usdc(claimed)} for PAY_TO, by the contract; ${usdc(unpaid)} of it is not paid out yet`,
    `  unknown  ${usdc(claimedWithoutRow)}  claimed for PAY_TO of channels that this store does not have`,
    ...(complete ? [] : ['The node at RPC_URL stopped answering; run it again.']),
  ].join('\n')
}
