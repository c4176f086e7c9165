/** Who is measured on each type of check, verdict alone and with reasons. */
import { checkEmail, isEmail } from '../../src/checks/email/check-email.ts'
import { checkEuVat, isEuVat } from '../../src/checks/eu-vat/check-eu-vat.ts'
import { checkIban, isIban } from '../../src/checks/iban/check-iban.ts'
import { checkPlNip, isPlNip } from '../../src/checks/pl/check-nip.ts'
import { checkPlPesel, isPlPesel } from '../../src/checks/pl/check-pesel.ts'
import { checkPlRegon, isPlRegon } from '../../src/checks/pl/check-regon.ts'
import type { CheckType } from '../../src/checks/verdict.ts'
import { loadPeers } from '../peers/load.ts'

/** Judges one value; the result is looked at only to keep it from being optimised away. */
export type Judge = (value: string) => unknown

export interface Contest {
  readonly type: CheckType
  readonly kind: 'verdict' | 'full'
  /** How many times as fast as the fastest peer we mean to be. */
  readonly target: number
  readonly ours: Judge
  readonly peers: Readonly<Record<string, Judge>>
}

/** The pattern of `<input type=email>` (HTML Living Standard, 4.10.5.1.5). */
const WHATWG =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** All contests; the peers come from the package in `bench/peers`. */
export function contests(): readonly Contest[] {
  const libraries = loadPeers()
  const { validator, ibantools, iban, fastIban, jsvat, stdnum } = libraries
  const { polish, validatePolish, address, valibot, valibotEmail } = libraries

  const vatCountries = ['austria', 'belgium', 'croatia', 'denmark', 'estonia', 'finland', 'germany', 'greece']
    .concat(['hungary', 'luxembourg', 'malta', 'poland', 'portugal', 'slovenia', 'sweden'])
    .map((name) => jsvat[name])
  const stdnumVat: Record<string, { validate: Judge }> = {
    ...{ AT: stdnum.AT.uid, BE: stdnum.BE.vat, DE: stdnum.DE.vat, DK: stdnum.DK.cvr, EE: stdnum.EE.kmkr },
    ...{ EL: stdnum.GR.vat, FI: stdnum.FI.alv, HR: stdnum.HR.oib, HU: stdnum.HU.anum, LU: stdnum.LU.tva },
    ...{ MT: stdnum.MT.vat, PL: stdnum.PL.nip, PT: stdnum.PT.nif, SE: stdnum.SE.vat, SI: stdnum.SI.ddv },
  }

  return [
    {
      ...{ type: 'iban', kind: 'verdict', target: 2, ours: isIban },
      peers: {
        'fast-iban': (value) => fastIban.validateIBAN(value),
        validator: (value) => validator.isIBAN(value),
        'iban.js': (value) => iban.isValid(value),
        'ibantools isValidIBAN': (value) => ibantools.isValidIBAN(value),
        'polish-validators': (value) => polish.isIbanValid(value),
      },
    },
    {
      ...{ type: 'iban', kind: 'full', target: 2, ours: checkIban },
      peers: { 'ibantools validateIBAN': (value) => ibantools.validateIBAN(value) },
    },
    {
      ...{ type: 'eu-vat', kind: 'verdict', target: 2, ours: isEuVat },
      peers: { validator: (value) => validator.isVAT(value, value.slice(0, 2)) },
    },
    {
      ...{ type: 'eu-vat', kind: 'full', target: 2, ours: checkEuVat },
      peers: {
        jsvat: (value) => jsvat.checkVAT(value, vatCountries),
        stdnum: (value) => stdnumVat[value.slice(0, 2)]!.validate(value),
      },
    },
    {
      ...{ type: 'pl-nip', kind: 'verdict', target: 1.5, ours: isPlNip },
      peers: {
        'polish-validators': (value) => polish.isNipValid(value),
        'validate-polish': (value) => validatePolish.nip(value),
        validator: (value) => validator.isVAT(value, 'PL'),
      },
    },
    {
      ...{ type: 'pl-nip', kind: 'full', target: 2, ours: checkPlNip },
      peers: {
        stdnum: (value) => stdnum.PL.nip.validate(value),
        jsvat: (value) => jsvat.checkVAT(`PL${value}`, [jsvat.poland]),
      },
    },
    {
      ...{ type: 'pl-regon', kind: 'verdict', target: 2, ours: isPlRegon },
      peers: {
        'polish-validators': (value) => polish.isRegonValid(value),
        'validate-polish': (value) => validatePolish.regon(value),
      },
    },
    {
      ...{ type: 'pl-regon', kind: 'full', target: 2, ours: checkPlRegon },
      peers: { stdnum: (value) => stdnum.PL.regon.validate(value) },
    },
    {
      ...{ type: 'pl-pesel', kind: 'verdict', target: 2, ours: isPlPesel },
      peers: {
        'polish-validators': (value) => polish.isPeselValid(value),
        'validate-polish': (value) => validatePolish.pesel(value),
        'validator isIdentityCard': (value) => validator.isIdentityCard(value, 'PL'),
        'validator isTaxID': (value) => validator.isTaxID(value, 'pl-PL'),
      },
    },
    {
      ...{ type: 'pl-pesel', kind: 'full', target: 2, ours: checkPlPesel },
      peers: { stdnum: (value) => stdnum.PL.pesel.validate(value) },
    },
    {
      ...{ type: 'email', kind: 'verdict', target: 2, ours: isEmail },
      peers: {
        validator: (value) => validator.isEmail(value),
        valibot: (value) => valibot.is(valibotEmail, value),
        '@hapi/address': (value) => address.isEmailValid(value),
      },
    },
    {
      ...{ type: 'email', kind: 'verdict', target: 0.8, ours: isEmail },
      peers: { 'the bare WHATWG pattern': (value) => WHATWG.test(value) },
    },
    {
      ...{ type: 'email', kind: 'full', target: 2, ours: checkEmail },
      peers: { '@hapi/address': (value) => address.analyzeEmail(value) },
    },
  ]
}
