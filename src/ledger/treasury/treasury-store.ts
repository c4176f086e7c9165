import type { Store } from '../store/store.ts'
import { mayAct, moveReserve, release, reserve, treasuryDays } from './reserves.ts'

export const treasuryStore = ({ read, transact }: Store) => ({
  reserve: transact(reserve),
  release: transact(release),
  moveReserve: transact(moveReserve),
  mayAct: read(mayAct),
  treasury: read(treasuryDays),
})
