#!/usr/bin/env bash
# Signs with nothing but bash, sort and openssl. Prints the payload and its signature, a line each.
#   sign.sh t     <secret> <method> <path> <t>
#   sign.sh embed <secret> <method> <path> <name> <value> [<name> <value> …]
set -euo pipefail
export LC_ALL=C # bytes, whose order is that of code points

encode() {
  local text=$1 i c
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in
      [A-Za-z0-9._~-]) printf '%s' "$c" ;;
      *) printf '%%%02X' "'$c" | sed 's/%F*\(..\)$/%\1/' ;;
    esac
  done
}

# Sorted by the name's bytes in hex, since the encoded names would sort in another order.
canonical_query() {
  while (($#)); do
    printf '%s %s=%s\n' "$(printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n')" "$(encode "$1")" "$(encode "$2")"
    shift 2
  done | sort -s -k1,1 | cut -d' ' -f2- | paste -sd'&' -
}

kind=$1 secret=$2 target="$3 $4"
shift 4
case $kind in
  t) payload="$1.$target" ;;
  embed) payload="$target?$(canonical_query "$@")" ;;
esac
printf '%s\n' "$payload"
printf '%s' "$payload" | openssl dgst -sha256 -hmac "$secret" -r | cut -d' ' -f1
