#!/bin/bash
# Starts PostgreSQL as a standby of PRIMARY, of which it makes a copy first where it has none. Arguments: the command that
# starts the server. PGPASSWORD is the password of the role replicator.
set -euo pipefail
PGDATA=${PGDATA:-/var/lib/postgresql/data}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --host "$PRIMARY" --port "${PGPORT:-5432}" --username replicator --pgdata "$PGDATA" \
    --write-recovery-conf --wal-method stream --checkpoint fast
  chmod 700 "$PGDATA"
fi
exec "$@"
