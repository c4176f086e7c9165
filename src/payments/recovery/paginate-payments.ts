import type { PaymentRow } from '../../ledger/ledger.ts'

/** How many rows one question to the store brings. */
const PAGE = 100

/** Every row a paged question finds, one after the other, whatever becomes of the ones already handed out. */
export async function* eachRow(
  read: (limit: number, after?: PaymentRow) => Promise<readonly PaymentRow[]>,
): AsyncGenerator<PaymentRow, void> {
  let page = await read(PAGE)
  while (page.length > 0) {
    yield* page
    page = page.length < PAGE ? [] : await read(PAGE, page.at(-1))
  }
}
