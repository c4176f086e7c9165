import { afterEach, beforeEach } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'

/** Opens an empty store; `close` also removes what it left. */
export type OpenStore = () => Promise<{ readonly ledger: Ledger; close(): Promise<void> }>

/** Gives each test of the group a store of its own. */
export function eachWithStore(open: OpenStore, take: (ledger: Ledger) => void): void {
  let close: () => Promise<void>
  beforeEach(async () => {
    const opened = await open()
    close = opened.close
    take(opened.ledger)
  })
  afterEach(() => close())
}
