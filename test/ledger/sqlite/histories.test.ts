import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { playHistory, SOME } from '../../support/histories/play-history.ts'
import { mayMount, mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'

/** Room for every write of a test: the log is emptied into the database after 16 MB. */
const MEGABYTES = 64

const stops: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'format-checker-history-'))
  stops.push(() => rmSync(folder, { recursive: true }))
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

describe('the history of a process on SQLite has an order', () => {
  test('while it is killed and started again', async () => {
    await playHistory({ store: { dataDir: join(folder, 'data') }, processes: 1 }, async (fleet) => {
      for (let round = 0; round < 5; round += 1) {
        await fleet.killOne()
        await fleet.add()
        await fleet.answered(SOME)
      }
    })
  })

  describe.skipIf(!mayMount())('on a disk', () => {
    let disk: SmallDisk
    const played = () => ({
      store: { dataDir: join(folder, 'disk/data') },
      processes: 1,
      launch: disk.launch,
    })
    beforeEach(async () => {
      mkdirSync(join(folder, 'disk'))
      disk = await mountSmallDisk(join(folder, 'disk'), MEGABYTES)
      stops.push(disk.remove)
    })

    test('that is full for a while', async () => {
      await playHistory(played(), async (fleet) => {
        for (let round = 0; round < 3; round += 1) {
          disk.fill()
          await fleet.failed(3)
          disk.free()
          await fleet.answered(SOME)
        }
      })
    })

    test('that is full when the process is killed', async () => {
      await playHistory(played(), async (fleet) => {
        for (let round = 0; round < 3; round += 1) {
          disk.fill()
          await fleet.failed(3)
          await fleet.killOne()
          disk.free()
          await fleet.add()
          await fleet.answered(SOME)
        }
      })
    })

    test('that is mounted read-only when the process starts again', async () => {
      await playHistory(played(), async (fleet) => {
        await fleet.killOne()
        await disk.remount('ro')
        await expect(fleet.add()).rejects.toThrow(/READONLY|EROFS|CANTOPEN/)
        await disk.remount('rw')
        await fleet.add()
      })
    })
  })
})
