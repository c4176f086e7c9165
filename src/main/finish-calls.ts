import type { Server } from 'node:http'
import type { App } from '../app.ts'
import { closeServer } from './listen.ts'

/**
 * At most `graceMs` in all: first calls whose client waits, then paid calls whose client has left. Store, node and
 * facilitator must still be open.
 */
export async function finishCalls(
  server: Server,
  { paidCalls }: Pick<App, 'paidCalls'>,
  graceMs: number,
): Promise<void> {
  const end = performance.now() + graceMs
  await closeServer(server, graceMs)
  await paidCalls.finish(Math.max(0, end - performance.now()))
}
