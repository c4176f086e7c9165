import type { CheckType } from 'format-checker-checks/verdict'
import type { SURFACES } from '../../../../src/command-line/commands.ts'
import type { CheckClient } from './reply.ts'

export type Surface = (typeof SURFACES)[number]

/** Loads only what the protocol needs. Rejects if the service is not found. */
export async function openClient(surface: Surface, url: string, type: CheckType): Promise<CheckClient> {
  switch (surface) {
    case 'rest':
      return (await import('./rest-client.ts')).openRestClient(url, type)
    case 'a2a':
      return (await import('./a2a-client.ts')).openA2aClient(url, type)
    case 'mcp':
      return (await import('./mcp-client.ts')).openMcpClient(url, type)
  }
}
