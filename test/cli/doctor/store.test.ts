import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../support/command.ts'
import { mayMount, mountSmallDisk } from '../../support/small-disk.ts'

/** Prints what the doctor finds out about DATA_DIR, then the names in it. */
const LOOK = `
  import { readdirSync } from 'node:fs'
  import { checkStore } from '${join(ROOT, 'src/cli/doctor/store.ts')}'
  const dataDir = process.env.DATA_DIR
  const { status, found } = await checkStore({ kind: 'sqlite', dataDir })
  const left = readdirSync(dataDir).filter((name) => !name.startsWith('filler-'))
  console.log(JSON.stringify({ status, found, left }))`

test.runIf(mayMount())('a full disk is found, and nothing is left on it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
  const disk = await mountSmallDisk(folder, 1)
  onTestFinished(async () => {
    await disk.remove()
    rmSync(folder, { recursive: true })
  })
  disk.fill()
  const doctor = disk.launch(['--input-type=module', '--eval', LOOK], { env: { DATA_DIR: folder } })
  await doctor.ended
  expect(JSON.parse(doctor.stdout[0] ?? doctor.stderr.join('\n'))).toEqual({
    status: 'fail',
    found: 'DATA_DIR cannot be written (ENOSPC)',
    left: [],
  })
})
