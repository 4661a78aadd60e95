import type { DialectTexts } from '../dialect-texts.ts'

/** @param shard the name under which this process counts traffic: letters and digits */
export function postgresTexts(shard: string): DialectTexts {
  return {
    rowNumber: 'number',
    indexedBy: () => '',
    searchKeys: (columns) =>
      `select ${columns} from keys where position(lower(?) in lower(id || ' ' || name)) > 0
       order by number desc limit ?`,
    searchTerm: (text) => text,
    addTraffic: `insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       values (?, ?, ?, ?, '${shard}', ?)
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
    // What is added is removed by the same statement: two servers that fold at once do not add it twice.
    foldTraffic: `with moved as (delete from traffic_days where day between 1 and ? returning *)
       insert into traffic_days as known (day, endpoint, auth, status, shard, count)
       select 0, endpoint, auth, status, '', sum(count) from moved group by endpoint, auth, status
       on conflict (day, endpoint, auth, status, shard) do update set count = known.count + excluded.count`,
  }
}
