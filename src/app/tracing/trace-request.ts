import {
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { loggedMethod } from '../../http/access-log.ts'
import { accessLogFields } from '../../http/access-log-fields.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import type { UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { Middleware } from '../../http/middleware.ts'
import type { Sell } from '../../payments/ports/sale.ts'
import type { HoldVerdict } from '../../payments/ports/task.ts'
import { inSpan } from './in-span.ts'

/** How far the request of a context has come. */
interface Stage {
  limited: boolean
  /** When reading and validating began; UTC milliseconds. Null before and after. */
  parsingSince: number | null
}

const STAGE = createContextKey('stage of the request')
const SERVER_ERROR = 500

const stageOf = () => context.active().getValue(STAGE) as Stage | undefined
const now = () => performance.timeOrigin + performance.now()

/**
 * Makes each request a span, below that of the caller if it sent a `traceparent` (W3C Trace Context, level 1). What the
 * span says is what the access log says.
 */
export function traceRequests(tracer: Tracer): Middleware {
  return function traceRequest(req, res, next) {
    const { traceparent } = req.headers
    const parent =
      typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT
    const method = loggedMethod(req)
    const attributes = { 'http.request.method': method, 'format_checker.request_id': requestIdOf(res) }
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent)
    const stage: Stage = { limited: false, parsingSince: null }
    const inside = trace.setSpan(parent, span).setValue(STAGE, stage)
    res.on('close', () => {
      const { route, surface, type, code } = accessLogFields(res)
      context.with(inside, () => endParsing(tracer))
      if (route !== undefined) span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.response.status_code': res.statusCode,
        ...(route === undefined ? {} : { 'http.route': route }),
        ...(surface === undefined ? {} : { 'format_checker.surface': surface }),
        ...(type === undefined ? {} : { 'format_checker.type': type }),
        ...(code === undefined ? {} : { 'format_checker.code': code }),
      })
      if (res.statusCode >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    context.with(inside, next)
  }
}

/** The first question to the limiter is the span `limit`; after it, `parse` begins. */
export function traceLimiter(limiter: UnpaidLimiter, tracer: Tracer): UnpaidLimiter {
  return {
    ...limiter,
    blocked(req, attempt) {
      const stage = stageOf()
      if (stage === undefined || stage.limited) return limiter.blocked(req, attempt)
      stage.limited = true
      const span = tracer.startSpan('limit')
      const wait = limiter.blocked(req, attempt)
      span.setAttribute('format_checker.limited', wait !== undefined)
      span.end()
      stage.parsingSince = now()
      return wait
    },
  }
}

/** Writes the span `parse`: from the limit to the call, or to the end of a request that came to no call. */
function endParsing(tracer: Tracer): void {
  const stage = stageOf()
  if (stage === undefined || stage.parsingSince === null) return
  tracer.startSpan('parse', { startTime: stage.parsingSince }).end()
  stage.parsingSince = null
}

/** A call is the span `sale`, with its outcome. */
export const traceSell =
  (sell: Sell, tracer: Tracer): Sell =>
  (call, rawPayment) => {
    endParsing(tracer)
    return inSpan(
      tracer,
      {
        name: 'sale',
        attributes: {
          'format_checker.surface': call.surface,
          'format_checker.paid': rawPayment.kind !== 'none',
        },
        describe: (sale) => ({
          'format_checker.outcome': sale.kind === 'sold' ? (sale.replayed ? 'replayed' : 'sold') : sale.code,
        }),
      },
      () => sell(call, rawPayment),
    )
  }

/** A call whose verdict is kept until it is paid for is the span `hold`. */
export const traceHoldVerdict =
  (holdVerdict: HoldVerdict, tracer: Tracer): HoldVerdict =>
  (call) => {
    endParsing(tracer)
    return inSpan(tracer, { name: 'hold' }, () => holdVerdict(call))
  }
