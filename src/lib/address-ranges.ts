import { BlockList, isIP } from 'node:net'

/** An address range such as 10.0.0.0/8 or fd00::/8; a bare address is a range of one. */
export function cidr(text: string): string {
  try {
    addRange(new BlockList(), text)
    return text
  } catch {
    throw new Error(`must hold address ranges such as 10.0.0.0/8, not ${text}`)
  }
}

/** Whether an address lies in one of the ranges. IPv4-mapped IPv6 addresses count as IPv4. */
export function rangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return (address) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new Error(range)
  const whole = family === 4 ? 32 : 128
  list.addSubnet(address, bits === undefined ? whole : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
}
