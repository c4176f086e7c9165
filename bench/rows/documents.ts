/** Free documents, whole and unchanged, against a bare Express that sends the same bytes. */
import type { RowPlan } from '../bench.ts'
import { compare } from '../compare.ts'
import { httpRequest } from '../load/http-request.ts'
import { askOnce, scratchFile } from '../load/recorded-answer.ts'
import { figuresOf, rateClaim } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { type Server, startOurs, startServer } from '../servers/our-service.ts'
import { fixedContender } from './fixed-contender.ts'

const PATHS = ['/api/types', '/.well-known/agent-card.json', '/openapi.json'] as const
const PEER = 'bare Express, same bytes'

export const documents: RowPlan = {
  id: 'documents',
  async run({ load, world, effort }) {
    const ours = await startOurs(world)
    const rows: Row[] = []
    for (const path of PATHS) {
      const document = await askOnce(ours.port, { method: 'GET', path })
      const express = await startServer('express-echo.ts', { DOCUMENT: scratchFile(document.body) })
      const theirs = await askOnce(express.port, { method: 'GET', path: '/document' })
      for (const known of [false, true]) {
        const contender = (name: string, server: Server, target: string, etag: unknown) => {
          const headers = known ? { 'If-None-Match': String(etag) } : {}
          const request = httpRequest({ method: 'GET', path: target, headers })
          return fixedContender(effort, name, server, { request, expected: known ? 304 : 200 })
        }
        const contenders = [
          contender('ours', ours, path, document.headers.etag),
          contender(PEER, express, '/document', theirs.headers.etag),
        ]
        const series = await compare(load, contenders, effort.rounds)
        rows.push({
          id: `document${path}${known ? '-304' : ''}`,
          work: `GET ${path}, ${known ? 'If-None-Match, 304' : `${document.body.length} bytes`}`,
          figures: figuresOf(series),
          claims: rateClaim(series, PEER, 0.8),
        })
      }
      await express.stop()
    }
    await ours.stop()
    return rows
  },
}
