import { openTempLedger } from '../../support/temp-ledger.ts'
import { describeChannelStore } from '../channel-contract.ts'

describeChannelStore('SQLite', openTempLedger)
