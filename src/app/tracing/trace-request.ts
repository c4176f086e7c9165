import {
  context,
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
import type { Middleware } from '../../http/middleware.ts'
import type { Sell } from '../../payments/ports/sale.ts'
import type { HoldVerdict } from '../../payments/ports/task.ts'
import { inSpan } from './in-span.ts'

const SERVER_ERROR = 500

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
    res.on('close', () => {
      const { route, surface, type, code } = accessLogFields(res)
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
    context.with(trace.setSpan(parent, span), next)
  }
}

/** A call is the span `sale`, with its outcome. */
export const traceSell =
  (sell: Sell, tracer: Tracer): Sell =>
  (call, rawPayment) =>
    inSpan(
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

/** A call whose verdict is kept until it is paid for is the span `hold`. */
export const traceHoldVerdict =
  (holdVerdict: HoldVerdict, tracer: Tracer): HoldVerdict =>
  (call) =>
    inSpan(tracer, { name: 'hold' }, () => holdVerdict(call))
