/** The libraries each check is measured against: those that only say yes or no, and those that give reasons. */
import { checkEmail } from 'format-checker-checks/email'
import { checkEuVat } from 'format-checker-checks/eu-vat'
import { checkIban } from 'format-checker-checks/iban'
import { checkPlNip } from 'format-checker-checks/pl-nip'
import { checkPlPesel } from 'format-checker-checks/pl-pesel'
import { checkPlRegon } from 'format-checker-checks/pl-regon'
import type { CheckType } from 'format-checker-checks/verdict'
import { loadPeers } from '../peers/load.ts'

/** Judges one value; the result is looked at only to keep it from being optimised away. */
export type Judge = (value: string) => unknown

export interface Contest {
  readonly type: CheckType
  /** What the peers give: a verdict alone, or a full result with reasons; ours is always full. */
  readonly kind: 'verdict' | 'full'
  readonly ours: Judge
  readonly peers: Readonly<Record<string, Judge>>
}

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
      ...{ type: 'iban', kind: 'verdict', ours: checkIban },
      peers: {
        'fast-iban': (value) => fastIban.validateIBAN(value),
        validator: (value) => validator.isIBAN(value),
        'iban.js': (value) => iban.isValid(value),
        'ibantools isValidIBAN': (value) => ibantools.isValidIBAN(value),
        'polish-validators': (value) => polish.isIbanValid(value),
      },
    },
    {
      ...{ type: 'iban', kind: 'full', ours: checkIban },
      peers: { 'ibantools validateIBAN': (value) => ibantools.validateIBAN(value) },
    },
    {
      ...{ type: 'eu-vat', kind: 'verdict', ours: checkEuVat },
      peers: { validator: (value) => validator.isVAT(value, value.slice(0, 2)) },
    },
    {
      ...{ type: 'eu-vat', kind: 'full', ours: checkEuVat },
      peers: {
        jsvat: (value) => jsvat.checkVAT(value, vatCountries),
        stdnum: (value) => stdnumVat[value.slice(0, 2)]!.validate(value),
      },
    },
    {
      ...{ type: 'pl-nip', kind: 'verdict', ours: checkPlNip },
      peers: {
        'polish-validators': (value) => polish.isNipValid(value),
        'validate-polish': (value) => validatePolish.nip(value),
        validator: (value) => validator.isVAT(value, 'PL'),
      },
    },
    {
      ...{ type: 'pl-nip', kind: 'full', ours: checkPlNip },
      peers: {
        stdnum: (value) => stdnum.PL.nip.validate(value),
        jsvat: (value) => jsvat.checkVAT(`PL${value}`, [jsvat.poland]),
      },
    },
    {
      ...{ type: 'pl-regon', kind: 'verdict', ours: checkPlRegon },
      peers: {
        'polish-validators': (value) => polish.isRegonValid(value),
        'validate-polish': (value) => validatePolish.regon(value),
      },
    },
    {
      ...{ type: 'pl-regon', kind: 'full', ours: checkPlRegon },
      peers: { stdnum: (value) => stdnum.PL.regon.validate(value) },
    },
    {
      ...{ type: 'pl-pesel', kind: 'verdict', ours: checkPlPesel },
      peers: {
        'polish-validators': (value) => polish.isPeselValid(value),
        'validate-polish': (value) => validatePolish.pesel(value),
        'validator isIdentityCard': (value) => validator.isIdentityCard(value, 'PL'),
        'validator isTaxID': (value) => validator.isTaxID(value, 'pl-PL'),
      },
    },
    {
      ...{ type: 'pl-pesel', kind: 'full', ours: checkPlPesel },
      peers: { stdnum: (value) => stdnum.PL.pesel.validate(value) },
    },
    {
      ...{ type: 'email', kind: 'verdict', ours: checkEmail },
      peers: {
        validator: (value) => validator.isEmail(value),
        valibot: (value) => valibot.is(valibotEmail, value),
        '@hapi/address': (value) => address.isEmailValid(value),
      },
    },
    {
      ...{ type: 'email', kind: 'full', ours: checkEmail },
      peers: { '@hapi/address': (value) => address.analyzeEmail(value) },
    },
  ]
}
