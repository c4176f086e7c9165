import { readFileSync, writeFileSync } from 'node:fs'
import { type CompiledContract, compileContract, renderContract } from '../token/compile.ts'

const SOURCE = new URL('./ChannelStandIns.sol', import.meta.url)

/** The committed file of each stand-in contract. */
export const STAND_INS = {
  StandInSettlement: new URL('./settlement.generated.json', import.meta.url),
  StandInCollector: new URL('./collector.generated.json', import.meta.url),
} as const

export type StandIn = keyof typeof STAND_INS

/** Compiles a stand-in into exactly what its committed JSON must hold. */
export const compileStandIn = (name: StandIn): CompiledContract =>
  compileContract(readFileSync(SOURCE, 'utf8'), name)

if (import.meta.main)
  for (const name of Object.keys(STAND_INS) as StandIn[])
    writeFileSync(STAND_INS[name], renderContract(compileStandIn(name)))
