import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMutex, type Lock } from '../../src/payments/facilitators/self/queue/mutex.ts'
import { ROOT } from '../support/command.ts'
import {
  type ChannelEnding,
  type ChannelFaultRow,
  channelEnding,
  channelSettings,
} from './bench/channel-row.ts'
import { channelFaultPage, channelFaultRows } from './bench/channel-table.ts'
import { type Stage, startStage } from './bench/stage.ts'
import { CHAIN_KILL_ROWS } from './rows/channels/chain-kill-rows.ts'
import { CHANNEL_COMMAND_ROWS } from './rows/channels/command-rows.ts'
import { CHANNEL_KILL_ROWS } from './rows/channels/kill-rows.ts'
import { LOST_ROWS } from './rows/channels/lost-rows.ts'
import { CHANNEL_RACE_ROWS } from './rows/channels/race-rows.ts'
import { CHANNEL_STORE_ROWS } from './rows/channels/store-rows.ts'
import { CHANNEL_SURFACE_ROWS } from './rows/channels/surface-rows.ts'
import { CHANNEL_WORLD_ROWS } from './rows/channels/world-rows.ts'

const ROWS: readonly ChannelFaultRow[] = [
  ...LOST_ROWS,
  ...CHANNEL_KILL_ROWS,
  ...CHAIN_KILL_ROWS,
  ...CHANNEL_RACE_ROWS,
  ...CHANNEL_STORE_ROWS,
  ...CHANNEL_WORLD_ROWS,
  ...CHANNEL_SURFACE_ROWS,
  ...CHANNEL_COMMAND_ROWS,
]
const PAGE = join(ROOT, 'docs/evidence/faults-channels')

let stage: Stage
const endings = new Map<ChannelFaultRow, ChannelEnding>()
const turns = new Map<string, Lock>()
const inTurn = <T>(name: string, run: () => Promise<T>): Promise<T> => {
  const turn = turns.get(name) ?? createMutex()
  turns.set(name, turn)
  return turn(run)
}
const named = (row: ChannelFaultRow) => [`${row.fault} (${row.on})`, row] as const

beforeAll(async () => {
  stage = await startStage(channelSettings())
})

afterAll(async () => {
  await stage.stop()
})

describe.concurrent('under the fault', () => {
  test.each(ROWS.map(named))('%s', async (_name, row) => {
    const run = async () => channelEnding(stage, await row.play(stage))
    const ending = await (row.shares === undefined ? run() : inTurn(row.shares, run))
    endings.set(row, ending)
    expect(ending).toEqual(row.expected)
  })
})

describe('over all rows', () => {
  test('every answer is charged once, every charge is answered, and no channel is bricked', () => {
    const kept = [...endings].filter(([row]) => row.outside !== true)
    expect(kept).toHaveLength(ROWS.filter(({ outside }) => outside !== true).length)
    const breaking = (rule: (ending: ChannelEnding) => boolean) =>
      kept.filter(([, ending]) => rule(ending)).map(([row]) => row.fault)
    expect(breaking(({ answered, charged }) => charged > answered)).toEqual([])
    expect(breaking(({ answered, charged }) => charged < answered)).toEqual([])
    expect(breaking(({ next }) => next !== 'verdict')).toEqual([])
  })

  test('the table in the documents is this one', () => {
    const rows = ROWS.flatMap((row): [ChannelFaultRow, ChannelEnding][] => {
      const ending = endings.get(row)
      return ending === undefined ? [] : [[row, ending]]
    })
    const seen = { md: channelFaultPage(rows), csv: channelFaultRows(rows) }
    mkdirSync(join(ROOT, 'ci-output'), { recursive: true })
    for (const [ending, text] of Object.entries(seen)) {
      writeFileSync(join(ROOT, `ci-output/faults-channels.${ending}`), text)
      if (process.env.UPDATE_FAULTS === 'yes') writeFileSync(`${PAGE}.${ending}`, text)
      expect(readFileSync(`${PAGE}.${ending}`, 'utf8')).toBe(text)
    }
  })
})
