import type { CheckType } from 'format-checker-checks/verdict'
import type { Skill, SkillRegistry } from '../../src/catalog/skill.ts'
import { realRegistry } from './registry.ts'

export interface CountedSkills {
  readonly registry: SkillRegistry
  /** How often any check ran. */
  readonly runs: { count: number }
}

const SHIPPED = realRegistry()

/** The shipped skills, each counting its runs; `rulesets` stands for a newer edition of some. */
export function countedSkills(rulesets: Partial<Record<CheckType, string>> = {}): CountedSkills {
  const runs = { count: 0 }
  const counted = (skill: Skill): Skill => ({
    ...skill,
    ruleset: rulesets[skill.id] ?? skill.ruleset,
    check: (value) => {
      runs.count += 1
      return skill.check(value)
    },
  })
  const all = SHIPPED.all.map(counted) as [Skill, ...Skill[]]
  const byId = (id: string | undefined) => all.find((skill) => skill.id === id)
  return {
    runs,
    registry: {
      all,
      get: (id) => byId(id),
      resolve: (name) => byId(SHIPPED.resolve(name)?.id),
      nearest: (name) => byId(SHIPPED.nearest(name)?.id),
    },
  }
}
