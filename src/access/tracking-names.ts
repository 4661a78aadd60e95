import { words } from '../lib/words.ts'

/**
 * Parameters that networks, newsletters and advertisers append to addresses that they pass on. `*` stands for any ending.
 * A signed query may come with them although it was signed without.
 */
export const campaignNames = words(`
  utm_* mtm_* pk_* hsa_* fb_* ga_* vero_* oly_* _hs* __hs* __cft__* __tn__ _ga _gl _kx _branch_match_id
  _branch_referrer _openstat at_medium at_campaign cmpid cx_* dclid ef_id epik fbclid ftag gad_campaignid
  gad_source gbraid gclid gclsrc gs_l guccounter guce_referrer guce_referrer_sig hsCtaTracking igsh
  igshid irclickid itm_* li_fat_id mc_cid mc_eid mibextid mkt_tok ml_subscriber ml_subscriber_hash
  msclkid ncid piwik_* rb_clickid rdt_cid s_cid s_kwcid sc_campaign sc_channel sc_cid sc_content
  sc_medium ScCid sfnsn share_id si srsltid sr_share sscid tblci trk trkCampaign ttclid twclid wbraid
  wickedid wt_mc xtor yclid ymclid ysclid zanpid
`)

/** Parameters that people append to make a cache fetch a picture anew. */
export const versionNames = words('v ver _ cb')

/** Returns a function that tells whether a name is one of the list, in any case. */
export function matcherOf(list: readonly string[]): (name: string) => boolean {
  const names = new Set(list.map((name) => name.toLowerCase()))
  const beginnings = list.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1).toLowerCase())
  return (name) => {
    const lower = name.toLowerCase()
    return names.has(lower) || beginnings.some((beginning) => lower.startsWith(beginning))
  }
}
