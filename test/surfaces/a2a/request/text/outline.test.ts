/** Where a value of each type begins and ends, by its outline alone. */
import { describe, expect, it } from 'vitest'
import type { Skill } from '../../../../../src/catalog/skill.ts'
import type { CheckType } from '../../../../../src/checks/verdict.ts'
import { withoutFences } from '../../../../../src/surfaces/a2a/request/parse-object.ts'
import { fitsOutline, isCutShort, isOtherForm } from '../../../../../src/surfaces/a2a/request/text/outline.ts'
import { realRegistry } from '../../../../support/registry.ts'

const skills = realRegistry()
const skill = (type: CheckType) => skills.get(type) as Skill

describe('a whole value', () => {
  it.each<[CheckType, readonly string[], readonly string[]]>([
    [
      'iban',
      ['GB82 WEST 1234 5698 7654 32', 'gb82west12345698765432', 'NO93-8601-1117-947'],
      [
        'GB82WEST1234569876543',
        'GB82WEST123456987654321',
        'GBAB82WEST123456987654',
        'XX82WEST12345698765432',
        'GB8WEST123456987654321',
        'GB82WEST1234569876543/',
      ],
    ],
    [
      'eu-vat',
      [
        'DE123456789',
        'ATU13585627',
        'at u13585627',
        'IE3206488LH',
        'IE8+56789F',
        'ESX1234567X',
        'NL123456789B01',
      ],
      [
        'DE12345678',
        'DE1234567890',
        'AT12345678A',
        'ZZ123456789',
        'DEABCDEFGHI',
        'DE1234567/9',
        'FR/XX12345678',
        'DE/12345678',
        'IE123456/A',
        '1DE23456789',
      ],
    ],
    [
      'pl-nip',
      ['5260250274', 'PL 526-025-02-74'],
      ['526025027', '52602502741', 'DE5260250274', '526025027A', 'A526025027', '526PL0250274'],
    ],
    ['pl-regon', ['033150100', '03315010000000'], ['03315010', '0331501000', '0331501000000', '03315010O']],
    ['pl-pesel', ['44051401359'], ['4405140135', '440514013590', 'PL44051401359', '']],
    ['email', ['jan@example.com', 'a@b'], ['jan@', '@b', 'a@b@c', 'a b@c', 'a@b c', 'example.com']],
  ])('of %s has its length and its signs in place', (type, whole, other) => {
    expect(whole.filter((value) => !fitsOutline(skill(type), value))).toEqual([])
    expect(other.filter((value) => fitsOutline(skill(type), value))).toEqual([])
  })

  it.each<[CheckType, readonly string[], readonly string[]]>([
    [
      'iban',
      ['GB82 WEST 1234 5698 7654 3', 'XX12 3456'],
      ['GB82 WEST 1234 5698 7654 32', `XX${'1'.repeat(32)}`],
    ],
    ['eu-vat', ['ATU 1358562', 'IE 3206488'], ['ATU 13585627', 'IE 3206488L', 'ZZ 1', 'ZZ']],
    ['pl-nip', ['526-025-02-7'], ['526-025-02-74', '526-025-02-745']],
    ['pl-regon', ['0331501'], ['033150100', '0331501000']],
  ])('of %s differs from one that lacks its end', (type, cut, whole) => {
    expect(cut.filter((value) => !isCutShort(skill(type), value))).toEqual([])
    expect(whole.filter((value) => isCutShort(skill(type), value))).toEqual([])
  })
})

it('of a type with letters has letters and digits, and at least one digit', () => {
  const lettered = { outline: { kind: 'letters and digits', sizes: [4] } } as const
  const values = ['AB12', '12ab', '1234', 'A-1-B-C', 'ABC1', '1ABC']
  const others = ['ABCD', '/AB1', 'AB1/', 'A/B1', '1/AB', 'AB123']
  expect(values.filter((value) => !fitsOutline(lettered, value))).toEqual([])
  expect(others.filter((value) => fitsOutline(lettered, value))).toEqual([])
})

it('what is a date, an id, a hash, a version or an amount is no value', () => {
  const uuid = 'c2e6ed75-890d-4d66-bb61-f194f4d42013'
  const forms = `2026-11-23 2026.1.2 2026/11/23 23.11.2026 1-2-26 23.11. ${uuid} ${uuid.toUpperCase()}
    0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 0Xa v1 V12.3.4 1.2.0 12.50 1.5`
  const others = `2026-11.23 12026-11-23 2026-111-2 2026-11-234 123-11-2026 1-123-26 23.11-2026 23/11/202 x${uuid} ${uuid}0 ${uuid.slice(1)}
    ${uuid.replaceAll('-', '')} 0x 10xa 0xg 0x8g
    c2e6ed75-890-4d66-bb61-f194f4d42013 c2e6ed75-890d-4d66-bb61-bb61-f194f4d42013 v v1. 1v1 123.4 1.2.3.4 12.3456 5260250274 526-025-02-74`
  expect(forms.split(/\s+/).filter((form) => !isOtherForm(form))).toEqual([])
  expect(others.split(/\s+/).filter(isOtherForm)).toEqual([])
})

it('lines that fence a block of code are left out, and no other', () => {
  const fences = [
    '```',
    '~~~',
    '`````',
    '```json',
    '~~~ c++'.replace(' ', ''),
    '```objective-c',
    '   ```',
    '``` \t',
  ]
  const others = ['``', '~~', '    ```', '``` a b', 'x```', '```json x', '```"x"']
  for (const line of fences) expect([line, withoutFences(`a\n${line}\nb`)]).toEqual([line, 'a\n\nb'])
  for (const line of others) expect(withoutFences(`a\n${line}\nb`)).toBe(`a\n${line}\nb`)
  expect(withoutFences('```\r\nx\r\n```\r\n')).toBe('\nx\r\n\n')
})
