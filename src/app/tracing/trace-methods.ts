import { SpanKind, type Tracer } from '@opentelemetry/api'
import { inSpan } from './in-span.ts'

type Method = (...args: unknown[]) => unknown

/**
 * Wraps an object so that each call of an asynchronous method is a span, named by `nameOf`; methods without a name are
 * not traced. Arguments and results never become attributes.
 */
export function traceMethods<T extends object>(
  target: T,
  tracer: Tracer,
  nameOf: (method: string) => string | undefined,
): T {
  const wrapped = new Map<string, Method>()
  const wrap = (method: string, name: string, original: Method): Method => {
    const options = { name, kind: SpanKind.CLIENT, attributes: { 'code.function.name': method } }
    return (...args) => inSpan(tracer, options, async () => original.apply(target, args))
  }
  return new Proxy(target, {
    get(object, property) {
      const member: unknown = Reflect.get(object, property)
      if (typeof property !== 'string' || typeof member !== 'function') return member
      const name = nameOf(property)
      if (name === undefined) return member
      const known = wrapped.get(property) ?? wrap(property, name, member as Method)
      wrapped.set(property, known)
      return known
    },
  })
}
