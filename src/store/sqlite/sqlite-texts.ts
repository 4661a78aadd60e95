import type { DialectTexts } from '../dialect-texts.ts'

export const sqliteTexts: DialectTexts = {
  rowNumber: 'rowid',
  indexedBy: (index) => ` indexed by ${index}`,
  searchKeys: (columns) =>
    `select ${columns} from (select rowid as found from keys_search where keys_search match ? order by rowid desc limit ?)
       join keys on keys.rowid = found order by found desc`,
  searchTerm: (text) => `"${text.replaceAll('"', '""')}"`,
  addTraffic: `insert into traffic_days (day, endpoint, auth, status, count) values (?1, ?2, ?3, ?4, max(0, ?5))
     on conflict do update set count = max(0, count + ?5)`,
  foldTraffic: `insert into traffic_days (day, endpoint, auth, status, count)
     select 0, endpoint, auth, status, sum(count) from traffic_days
     where day between 1 and ? group by endpoint, auth, status
     on conflict do update set count = count + excluded.count`,
}
