import type { Effort } from './compare.ts'
import type { Load } from './load/load.ts'
import type { Row } from './report/row.ts'
import type { Server } from './servers/our-service.ts'

/** What every row of the benchmark is measured with. */
export interface Bench {
  readonly load: Load
  readonly world: Server
  readonly effort: Effort
}

/** One or more rows of the table, by the name they are chosen with. */
export interface RowPlan {
  readonly id: string
  run(bench: Bench): Promise<readonly Row[]>
}
