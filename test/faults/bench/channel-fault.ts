import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreAct } from './fault-nonce.ts'

/** The writes of a channel: a deposit is claimed and found landed, a call is charged, a refund signed, a state read. */
export type ChannelStep = 'deposit' | 'landed' | 'charge' | 'refund' | 'state'

export interface ChannelFault {
  readonly step: ChannelStep
  readonly act: StoreAct
  /** How many writes fail in this way; 1 by default. */
  readonly times?: number
  /** Only a write with this value counts. */
  readonly value?: string
}

/**
 * A channel's writes name its payer or its id, which no one can choose, so the faults they meet are files in the scratch
 * directory of the service: one for each step, named after what the write names. A fault outlives the process that it
 * kills, and each of its times counts once.
 */
const fileOf = (scratch: string, name: string, step: ChannelStep) =>
  join(scratch, `fault-${name.toLowerCase()}-${step}`)

/** Lets the next writes of this step fail that name a payer or the id of a channel. */
export function planChannelFault(
  scratch: string,
  name: string,
  { step, times = 1, ...fault }: ChannelFault,
): void {
  writeFileSync(fileOf(scratch, name, step), JSON.stringify({ ...fault, times }))
}

/** The fault that a write meets, if any; takes one of its times away. */
export function channelFaultOf(
  scratch: string,
  step: ChannelStep,
  values: readonly unknown[],
): StoreAct | null {
  for (const name of values) {
    if (typeof name !== 'string' || !name.startsWith('0x')) continue
    const file = fileOf(scratch, name, step)
    if (!existsSync(file)) continue
    const fault = JSON.parse(readFileSync(file, 'utf8')) as Required<ChannelFault>
    if (fault.times === 0 || (fault.value !== undefined && !values.includes(fault.value))) continue
    writeFileSync(file, JSON.stringify({ ...fault, times: fault.times - 1 }))
    return fault.act
  }
  return null
}
