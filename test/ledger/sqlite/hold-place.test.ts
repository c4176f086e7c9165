import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { openFreshStore } from '../../support/fresh-store.ts'
import { newPayment } from '../../support/payment-rows.ts'

let ledger: Ledger
let dataDir: string
beforeEach(async () => {
  ;({ ledger, dataDir } = await openFreshStore('place'))
  await ledger.claim(newPayment())
})
afterEach(async () => {
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

const takesNothing = async () => {
  for (const call of [() => ledger.claim(newPayment()), () => ledger.ready()]) {
    const error = await call().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining('removed or replaced') })
  }
}

test('a store whose file was removed below the process takes no payment that would be forgotten with it', async () => {
  rmSync(join(dataDir, 'ledger.sqlite'))
  await takesNothing()
})

test('nor does one whose file was replaced', async () => {
  const [file, copy] = [join(dataDir, 'ledger.sqlite'), join(dataDir, 'copy.sqlite')]
  copyFileSync(file, copy)
  renameSync(copy, file)
  await takesNothing()
})

test('nor one whose log was removed', async () => {
  rmSync(join(dataDir, 'ledger.sqlite-wal'))
  await takesNothing()
})
