import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A compiled contract: its ABI, the bytecode that deploys it, and the code that it leaves on the chain. */
export interface Artefact {
  readonly abi: readonly unknown[]
  readonly bytecode: `0x${string}`
  readonly deployedBytecode: `0x${string}`
}

/** Compiles `contracts/Token.sol`. Equal source and compiler give equal bytes. */
export async function compileContracts(): Promise<Record<string, Artefact>> {
  const { default: solc } = await import('solc')
  const source = readFileSync(join(import.meta.dirname, 'contracts/Token.sol'), 'utf8')
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'Token.sol': { content: source } },
        settings: {
          optimizer: { enabled: true, runs: 200 },
          evmVersion: 'paris',
          metadata: { bytecodeHash: 'none' },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
        },
      }),
    ),
  )
  const failures = (output.errors ?? []).filter((entry: { severity: string }) => entry.severity === 'error')
  if (failures.length > 0)
    throw new Error(failures.map((entry: { formattedMessage: string }) => entry.formattedMessage).join('\n'))
  const contracts: Record<string, Artefact> = {}
  for (const [name, contract] of Object.entries<SolcContract>(output.contracts['Token.sol'])) {
    contracts[name] = {
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    }
  }
  return contracts
}

interface SolcContract {
  readonly abi: readonly unknown[]
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

if (import.meta.main) {
  const path = join(import.meta.dirname, 'contracts/artefacts.json')
  writeFileSync(path, `${JSON.stringify(await compileContracts(), null, 1)}\n`)
}
