// Made by `bun run db:generate`.
import sql0001 from './sql/0001-tables.sql' with { type: 'text' }
import sql0002 from './sql/0002-rules.sql' with { type: 'text' }
import sql0003 from './sql/0003-quota-batches.sql' with { type: 'text' }
import sql0004 from './sql/0004-generations.sql' with { type: 'text' }
import sql0005 from './sql/0005-commits.sql' with { type: 'text' }
import sql0006 from './sql/0006-leases.sql' with { type: 'text' }
import sql0007 from './sql/0007-brands.sql' with { type: 'text' }
import sql0008 from './sql/0008-quota-runs.sql' with { type: 'text' }
import sql0009 from './sql/0009-payments-by-payer.sql' with { type: 'text' }
import sql0010 from './sql/0010-key-ends.sql' with { type: 'text' }
import sql0011 from './sql/0011-payer-windows.sql' with { type: 'text' }
import sql0012 from './sql/0012-signed-addresses.sql' with { type: 'text' }
import sql0013 from './sql/0013-shares.sql' with { type: 'text' }
import sql0014 from './sql/0014-first-views.sql' with { type: 'text' }
import sql0015 from './sql/0015-web-sources.sql' with { type: 'text' }
import sql0016 from './sql/0016-key-hosts.sql' with { type: 'text' }
import sql0017 from './sql/0017-renewals.sql' with { type: 'text' }
import sql0018 from './sql/0018-traffic-hours.sql' with { type: 'text' }
import sql0019 from './sql/0019-alerts-and-key-assets.sql' with { type: 'text' }
import sql0020 from './sql/0020-web-pictures.sql' with { type: 'text' }
import sql0021 from './sql/0021-theme-files.sql' with { type: 'text' }
export const migrations: readonly string[] = [sql0001, sql0002, sql0003, sql0004, sql0005, sql0006, sql0007, sql0008, sql0009, sql0010, sql0011, sql0012, sql0013, sql0014, sql0015, sql0016, sql0017, sql0018, sql0019, sql0020, sql0021]
