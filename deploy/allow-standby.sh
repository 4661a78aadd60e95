#!/bin/bash
# Lets a standby follow this server. The image of PostgreSQL runs it once, when it has made the cluster.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname postgres --set password="$REPLICATION_PASSWORD" <<'SQL'
create role replicator login replication password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
