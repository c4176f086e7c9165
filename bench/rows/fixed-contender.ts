import type { Contender, Effort } from '../compare.ts'
import type { Server } from '../servers/our-service.ts'

const CONNECTIONS = 32

/** A server that is asked with the same bytes again and again, and has to answer with the same status each time. */
export function fixedContender(
  effort: Effort,
  name: string,
  server: Server,
  { request, expected }: { readonly request: Buffer; readonly expected: number },
): Contender {
  return {
    name,
    pid: server.pid,
    job: {
      port: server.port,
      connections: CONNECTIONS,
      milliseconds: effort.milliseconds,
      expected,
      source: { kind: 'fixed', bytes: request.toString('base64') },
    },
  }
}
