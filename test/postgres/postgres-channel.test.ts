import { afterEach, expect, test } from 'vitest'
import {
  MOST_BYTES,
  openPostgresChannel,
  type PostgresChannel,
} from '../../src/ledger/postgres/postgres-channel.ts'
import { run } from '../support/postgres.ts'
import { postgresStage } from '../support/postgres-stage.ts'

const stage = postgresStage()
const channels: PostgresChannel[] = []
afterEach(async () => {
  await Promise.all(channels.splice(0).map((channel) => channel.close()))
})

function open(address = stage.url) {
  const heard: string[] = []
  const channel = openPostgresChannel({
    url: address,
    name: 'test_channel',
    onMessage: (text) => heard.push(text),
    pauseMs: 50,
  })
  channels.push(channel)
  return { channel, heard }
}

/** Sends until it arrives: what is sent before the connection is up is dropped. */
const delivers = (from: PostgresChannel, heard: readonly string[], text: string) =>
  expect
    .poll(() => {
      from.send(text)
      return heard
    })
    .toContain(text)

test('what one replica sends, the others on the same database get, up to the longest message', async () => {
  const [one, other] = [open(), open()]
  await delivers(one.channel, other.heard, 'short')
  await delivers(other.channel, one.heard, 'x'.repeat(MOST_BYTES))
  expect(() => one.channel.send('x'.repeat(MOST_BYTES + 1))).toThrow('too long')
})

test('a connection that is lost is opened again', async () => {
  const [one, other] = [open(), open()]
  await delivers(one.channel, other.heard, 'before')
  await run(
    stage.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'format-checker limits'`,
  )
  await delivers(one.channel, other.heard, 'after')
})

test('a database that does not answer holds up nothing', async () => {
  const { channel, heard } = open('postgres://reader@127.0.0.1:1/none')
  channel.send('lost')
  await channel.close()
  expect(heard).toEqual([])
})
