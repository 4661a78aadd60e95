import { openStore } from '../src/store/open.ts'
import { rmSync } from 'node:fs'
for (const rows of [1_000, 1_000_000]) {
  const path = `/tmp/m/db-${rows}.sqlite`
  for (const s of ['', '-wal', '-shm']) rmSync(path + s, { force: true })
  const clock = { now: () => Date.now() }
  const store = openStore({ path, clock })
  const pair = await store.keys.insert({ id: 'mk_2222222222222222', name: '', createdAtMs: 0 })
  const { openDriver } = await import('#sqlite')
  const db = openDriver(path)
  const hex = (n: number) => (BigInt(n) * 0x9e3779b97f4a7c15n & ((1n<<64n)-1n)).toString(16).padStart(16,'0').repeat(2)
  const insert = db.prepare('insert into signed_addresses values (?,?,1,?,?)')
  const day = Math.floor(Date.now()/86400000)
  db.exec('begin'); for (let n=0;n<rows;n++) insert.run(pair.id, hex(n), day-1, day-1); db.exec('commit'); db.close()
  const view = (n: number) => store.meter.reserve({ bucket: `key:${pair.id}`, limit: 100, endpoint:'og', auth:'key', expectedRevision: { keyId: pair.id, revision: 1 }, address: { keyId: pair.id, digest: hex(n), version: 1 } })
  const times: number[] = []
  for (let i=0;i<30_000;i++) { const n = Math.floor(Math.random()*rows); const t = performance.now(); const r = await view(n); if (!r.granted || r.counted) throw new Error('x'); times.push(performance.now()-t) }
  times.splice(0, 5000); times.sort((a,b)=>a-b)
  console.log(rows, 'median µs', (times[times.length/2|0]!*1000).toFixed(1), 'p99 µs', (times[times.length*0.99|0]!*1000).toFixed(1))
  await store.close()
}
