import type { CheckType } from '../checks/verdict.ts'
import type { Counter } from './answer.ts'

/** The protocols a check is sold over. */
export const SURFACES = ['rest', 'a2a', 'mcp'] as const
export type Surface = (typeof SURFACES)[number]

/** Where to buy one check type; rejects when the service cannot be found. Loads what the protocol needs, and no more. */
export async function openCounter(surface: Surface, url: string, type: CheckType): Promise<Counter> {
  switch (surface) {
    case 'rest':
      return (await import('./rest-counter.ts')).openRestCounter(url, type)
    case 'a2a':
      return (await import('./a2a-counter.ts')).openA2aCounter(url, type)
    case 'mcp':
      return (await import('./mcp-counter.ts')).openMcpCounter(url, type)
  }
}
