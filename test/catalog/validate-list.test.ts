import { describe, expect, it } from 'vitest'
import { readItems, readValues } from '../../src/catalog/validate-list.ts'
import { realRegistry } from '../support/registry.ts'

const skills = realRegistry()
const [skill] = skills.all
if (skill === undefined) throw new Error('no skills')

/** An object that counts how often its members are looked at. */
function counted(json: object) {
  const looks = { count: 0 }
  const get = (target: object, name: string | symbol) => {
    looks.count++
    return Reflect.get(target, name)
  }
  return { looks, json: new Proxy(json, { get }) }
}

describe('a list with other members beside it', () => {
  const others = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]))

  it('is refused without a look at them', () => {
    const values = counted({ ...others, values: ['x'] })
    expect(readValues(skill, values.json)).toEqual({ ok: false, code: 'list_missing' })
    expect(values.looks.count).toBeLessThan(5)
    const items = counted({ ...others, items: [{ type: skill.id, value: 'x' }] })
    expect(readItems(skills, items.json)).toEqual({ ok: false, code: 'list_missing' })
    expect(items.looks.count).toBeLessThan(5)
  })
})
