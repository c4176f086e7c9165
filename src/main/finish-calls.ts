import type { Server } from 'node:http'
import type { App } from '../app.ts'
import { closeServer } from './listen.ts'

/**
 * Stops accepting and lets calls in flight finish, at most `graceMs` over all: first those whose client waits for the
 * answer, then paid calls whose client has left. What they need must still be open.
 */
export async function finishCalls(
  server: Server,
  app: { readonly payments: Pick<App['payments'], 'paidCalls'> },
  graceMs: number,
): Promise<void> {
  const end = performance.now() + graceMs
  await closeServer(server, graceMs)
  await app.payments.paidCalls.finish(Math.max(0, end - performance.now()))
}
