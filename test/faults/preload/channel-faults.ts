import { type ChannelStep, channelFaultOf } from '../bench/channel-fault.ts'
import type { StoreAct } from '../bench/fault-nonce.ts'

/** The scratch directory of the service. */
const directory = process.env.TMPDIR

/** The write of a channel that a statement makes; undefined for all others. */
function stepOf(sql: string, values: readonly unknown[]): ChannelStep | undefined {
  if (/^\s*insert into channel_deposits\s/.test(sql)) return 'deposit'
  if (/^\s*update channel_deposits\s/.test(sql)) return values.includes('landed') ? 'landed' : undefined
  if (/^\s*insert into channels\s/.test(sql)) return 'charge'
  if (!/^\s*update channels\s/.test(sql)) return undefined
  const sets = (column: string) => new RegExp(`[\\s,]${column} = `).test(sql)
  if (sets('charged')) return 'charge'
  if (sets('refunded')) return 'refund'
  return sets('total_claimed') ? 'state' : undefined
}

/** What happens to a write of a channel; null for an ordinary one. */
export function channelActAt(sql: string, values: readonly unknown[]): StoreAct | null {
  const step = directory === undefined ? undefined : stepOf(sql, values)
  return step === undefined ? null : channelFaultOf(directory as string, step, values)
}
