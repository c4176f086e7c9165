import type { MemberState } from './member-state.ts'
import { AT } from './states/at.ts'
import { BE } from './states/be.ts'
import { BG } from './states/bg.ts'
import { CY } from './states/cy.ts'
import { CZ } from './states/cz.ts'
import { DE } from './states/de.ts'
import { DK } from './states/dk.ts'
import { EE } from './states/ee.ts'
import { EL } from './states/el.ts'
import { ES } from './states/es.ts'
import { FI } from './states/fi.ts'
import { FR } from './states/fr.ts'
import { HR } from './states/hr.ts'
import { HU } from './states/hu.ts'
import { IE } from './states/ie.ts'
import { IT } from './states/it.ts'
import { LT } from './states/lt.ts'
import { LU } from './states/lu.ts'
import { LV } from './states/lv.ts'
import { MT } from './states/mt.ts'
import { NL } from './states/nl.ts'
import { PL } from './states/pl.ts'
import { PT } from './states/pt.ts'
import { RO } from './states/ro.ts'
import { SE } from './states/se.ts'
import { SI } from './states/si.ts'
import { SK } from './states/sk.ts'
import { XI } from './states/xi.ts'

const STATES: readonly MemberState[] = [
  AT,
  BE,
  BG,
  CY,
  CZ,
  DE,
  DK,
  EE,
  EL,
  ES,
  FI,
  FR,
  HR,
  HU,
  IE,
  IT,
  LT,
  LU,
  LV,
  MT,
  NL,
  PL,
  PT,
  RO,
  SE,
  SI,
  SK,
  XI,
]

export const MEMBER_STATES: ReadonlyMap<string, MemberState> = new Map(
  STATES.map((state) => [state.prefix, state]),
)
