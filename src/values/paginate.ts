const PAGE = 100

/** Rows already yielded may change meanwhile. */
export async function* paginate<Row>(
  read: (limit: number, after?: Row) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  let page = await read(PAGE)
  while (page.length > 0) {
    yield* page
    page = page.length < PAGE ? [] : await read(PAGE, page.at(-1))
  }
}
