import { openTempLedger } from '../../support/temp-ledger.ts'
import { describeChannelStore } from '../channel-contract.ts'
import { describeTaskHolds } from '../hold-contract.ts'

describeChannelStore('SQLite', openTempLedger)
describeTaskHolds('SQLite', openTempLedger)
