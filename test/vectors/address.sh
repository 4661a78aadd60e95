#!/usr/bin/env bash
# Makes an address with nothing but bash, tr and openssl, of a payload or of parameters.
#   address.sh payload    <secret> <key> <asset> <ext> <payload>
#   address.sh parameters <secret> <key> <asset> <ext> <name> <value> [<name> <value> …]
set -euo pipefail

encode() {
  local text=${1//\%/%25}
  text=${text//&/%26}
  text=${text//+/%2B}
  text=${text//=/%3D}
  printf '%s' "${text// /+}"
}

payload_of() {
  local form=
  while (($#)); do
    form+="${form:+&}$(encode "$1")=$(encode "$2")"
    shift 2
  done
  printf '%s' "$form" | openssl base64 -A | tr '+/' '-_' | tr -d '='
}

kind=$1 secret=$2 key=$3 asset=$4 ext=$5
shift 5
case $kind in
  payload) payload=$1 ;;
  parameters) payload=$(payload_of "$@") ;;
esac
start=/i/$asset/$key/$payload
sig=$(printf 'GET %s.%s' "$start" "$ext" | openssl dgst -sha256 -hmac "$secret" -r | cut -c1-32)
printf '%s/%s.%s' "$start" "$sig" "$ext"
