import { expect, test } from 'vitest'
import { isJsonMediaType } from '../../../src/http/body/json-media-type.ts'

test.each([
  'application/json',
  'APPLICATION/JSON',
  ' application/json ',
  'application/json;',
  'application/json; charset=utf-8',
  'application/json;charset=UTF8',
  'application/json; charset="utf-8"; profile="a b"',
  "application/json; !#$%&'*+.^_`|~09az-=!#$%&'*+.^_`|~09az-",
  'application/json, application/json',
  'application/json;charset=utf-8,Application/JSON',
  'application/json,application/json',
  'application/json, \t application/json',
  'application/json; ;charset=utf-8',
  'application/json;\t charset=utf-8 \t',
  'application/json; profile=""',
  'application/json; charset="UTF-8"',
])('is JSON: %s', (header) => {
  expect(isJsonMediaType(header)).toBe(true)
})

test.each([
  undefined,
  '',
  'json',
  'text/json',
  'application/json5',
  'application/ld+json',
  'application/json charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=utf-80',
  'application/json; charset',
  'application/json; charset=',
  'application/json; =utf-8',
  'application/json; charset=xutf-8',
  'application/json; x=1; charset=latin1',
  'application/json; charset=utf-8; x',
  'application/json; x=y z',
  'application/json; x y=z',
  'application/json; x="a"b',
  'application/json; x="a"b"',
  'application/json; x="a\\b"',
  'application/json; charset=utf-8, text/html',
  'text/html, application/json',
  'application/json, application/json; charset=latin1',
  'application/json,, application/json',
])('is not: %s', (header) => {
  expect(isJsonMediaType(header)).toBe(false)
})
