/** The 402 of a call without payment: what most requests of a pay-per-call service are. */
import type { Bench, RowPlan } from '../bench.ts'
import { compare } from '../compare.ts'
import { httpRequest } from '../load/http-request.ts'
import { callOf } from '../load/paid-request.ts'
import { askOnce, keepAnswer } from '../load/recorded-answer.ts'
import { figuresOf, rateClaim } from '../report/figures.ts'
import type { Row } from '../report/row.ts'
import { PAY_TO, type Server, startOurs, startServer } from '../servers/our-service.ts'
import { fixedContender } from './fixed-contender.ts'

const PATH = '/api/validate/iban'

const REQUESTS = {
  probe: httpRequest({ method: 'POST', path: PATH }),
  body: callOf('rest'),
  echo: httpRequest({
    method: 'POST',
    path: '/echo',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value: 'PL61109010140000071219812874' }),
  }),
}

/** Both requests, each against the same peers. */
export const unpaid: RowPlan = {
  id: 'unpaid',
  async run(bench) {
    const { world } = bench
    const ours = await startOurs(world)
    const answer = keepAnswer(await askOnce(ours.port, { method: 'POST', path: PATH }))
    const peers = await Promise.all([
      startServer('stock.ts', { FACILITATOR_URL: `http://127.0.0.1:${world.port}/fast`, PAY_TO }),
      startServer('express-echo.ts'),
      startServer('bare-node.ts', { ANSWER: answer }),
    ])
    const [stock, echo, bare] = peers
    try {
      const rows: Row[] = []
      for (const kind of ['probe', 'body'] as const) {
        const field: readonly [Server, string, Buffer, number][] = [
          [ours, 'ours', REQUESTS[kind], 402],
          [stock, 'stock x402 on Express', REQUESTS[kind], 402],
          [echo, 'bare Express echo', REQUESTS.echo, 200],
          [bare, 'bare node:http', REQUESTS[kind], 402],
        ]
        rows.push(await measure(bench, kind, field))
      }
      return rows
    } finally {
      await Promise.all([ours, ...peers].map((server) => server.stop()))
    }
  },
}

async function measure(
  { load, effort }: Bench,
  kind: 'probe' | 'body',
  field: readonly [Server, string, Buffer, number][],
): Promise<Row> {
  const contenders = field.map(([server, name, request, expected]) =>
    fixedContender(effort, name, server, { request, expected }),
  )
  const series = await compare(load, contenders, effort.rounds)
  const probe = kind === 'probe'
  return {
    id: `unpaid-${kind}`,
    work: probe ? 'unpaid 402, bodyless probe' : 'unpaid 402, valid body',
    figures: figuresOf(series),
    claims: [
      ...rateClaim(series, 'stock x402 on Express', 1.4),
      ...rateClaim(series, 'bare Express echo'),
      ...rateClaim(series, 'bare node:http'),
    ],
  }
}
