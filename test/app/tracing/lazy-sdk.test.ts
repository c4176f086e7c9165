import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'

const ROOT = new URL('../../../', import.meta.url).pathname

test('the SDK is loaded in one place, and only when tracing starts', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(
    (path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')] as const,
  )
  const naming = sources.filter(([, text]) => /@opentelemetry\/(?!api')/.test(text)).map(([path]) => path)
  expect(naming).toEqual(['src/app/tracing/tracing.ts'])
  const statically = sources.filter(([, text]) => /^import (?!type).*@opentelemetry\/(?!api')/m.test(text))
  expect(statically).toEqual([])
})

test('tracing is off unless a collector is set', () => {
  expect(readConfig({}).tracing).toBeNull()
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }).tracing).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    serviceName: 'format-checker',
    share: 1,
  })
})

test.each(['1.5', '-1', 'half', '1e-3'])('the share %s is refused', (share) => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_SAMPLER_ARG: share }
  expect(() => readConfig(environment)).toThrow('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1')
})
