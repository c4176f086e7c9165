import type { ChannelRow, ChannelStore } from '../../../ledger/channel-store.ts'

/** Rows read from the store at once. */
const PAGE = 100

/** Yields every channel, even if channels already yielded change meanwhile. */
export async function* paginateChannels(
  ledger: Pick<ChannelStore, 'listChannels'>,
): AsyncGenerator<ChannelRow, void> {
  let page = await ledger.listChannels(PAGE)
  while (page.length > 0) {
    yield* page
    page = page.length < PAGE ? [] : await ledger.listChannels(PAGE, page.at(-1)?.id)
  }
}
