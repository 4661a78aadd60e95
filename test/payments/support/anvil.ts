import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Account,
  bytesToHex,
  createTestClient,
  defineChain,
  type Hex,
  http,
  parseEther,
  publicActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { hangMsMax } from '../../support/hang-limit.ts'
import artefacts from './contracts/artefacts.json' with { type: 'json' }

/** Where clients of Base Sepolia expect the dollar token. */
export const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const chainId = 84532
const aheadSeconds = 5
const mnemonic = 'test test test test test test test test test test test junk'

/** Anvil's own rich accounts: each knows its key. */
export const accounts = Array.from({ length: 10 }, (_, index) =>
  mnemonicToAccount(mnemonic, { addressIndex: index }),
)
export const [payer, stranger, settler, otherPayer, shopkeeper] = accounts as [
  (typeof accounts)[number],
  (typeof accounts)[number],
  (typeof accounts)[number],
  (typeof accounts)[number],
  (typeof accounts)[number],
]

export type Chain = Awaited<ReturnType<typeof startAnvil>>

/** A chain of its own in a process of its own, with the token where clients look for it. */
export async function startAnvil({ blockSeconds }: { readonly blockSeconds?: number } = {}) {
  const child = spawnAnvil(blockSeconds)
  const url = `http://${await readAddress(child.stdout)}`
  const client = connect(url)
  const contracts = contractsOf(client)
  await setNextBlock()
  await client.setCode({ address: usdc, bytecode: artefacts.Token.deployedBytecode as Hex })
  for (const account of accounts.slice(0, 5))
    await contracts.token('mint', [account.address, 1_000_000_000n], payer)
  if (blockSeconds !== undefined) await client.mine({ blocks: 1 })

  /**
   * From the next block on the chain is a little ahead, because one that starts slowly would be behind for good, and its
   * blocks too old for us.
   */
  async function setNextBlock(): Promise<void> {
    const { timestamp } = await client.getBlock()
    const ahead = BigInt(Math.floor(Date.now() / 1000) + aheadSeconds)
    await client.setNextBlockTimestamp({ timestamp: ahead > timestamp ? ahead : timestamp + 1n })
  }

  return {
    url,
    client,
    ...contracts,
    /** Forgets what came after the snapshot. Time goes on, which anvil would wind back as well. */
    async rewind(id: Hex): Promise<void> {
      await client.revert({ id })
      await setNextBlock()
    },
    /** Takes back what a test does for itself, so that one that failed leaves the next one a chain like any other. */
    async calm(): Promise<void> {
      await client.setBalance({ address: settler.address, value: parseEther('1000') })
      if (await client.getAutomine()) return
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

function spawnAnvil(blockSeconds: number | undefined) {
  const platform = `${process.platform === 'win32' ? 'win32' : process.platform}-${process.arch === 'x64' ? 'amd64' : 'arm64'}`
  const binary = join(import.meta.dirname, `../../../node_modules/@foundry-rs/anvil-${platform}/bin/anvil`)
  const pace = blockSeconds === undefined ? [] : ['--block-time', String(blockSeconds)]
  return Bun.spawn([binary, '--port', '0', '--chain-id', String(chainId), ...pace], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
}

function connect(url: string) {
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = http(url, { retryCount: 0, timeout: hangMsMax })
  return createTestClient({ chain, mode: 'anvil', transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

/** Calls of the token and of other contracts. */
function contractsOf(client: ReturnType<typeof connect>) {
  /**
   * The receipt of a transaction, once it is in a block. viem's `waitForTransactionReceipt` misses a block now and then and
   * waits for the next one, which never comes on a chain that mines on demand.
   */
  async function mined(hash: Hex): Promise<TransactionReceipt> {
    for (;;) {
      try {
        return await client.getTransactionReceipt({ hash })
      } catch (error) {
        if (!(error instanceof TransactionReceiptNotFoundError)) throw error
        await sleep(5)
      }
    }
  }

  /** Sends a call of the token and returns its transaction: in a block already, unless mining is paused or paced. */
  async function token(
    functionName: string,
    args: readonly unknown[],
    from: Account,
    more: object = {},
  ): Promise<Hex> {
    const hash = await client.writeContract({
      account: from,
      address: usdc,
      abi: artefacts.Token.abi,
      functionName,
      args,
      gas: 300_000n,
      ...more,
    } as never)
    if (await client.getAutomine()) await mined(hash)
    return hash
  }

  return {
    mined,
    token,
    transfer: (to: Hex, value: bigint, from: Account = payer, more: object = {}) =>
      token('transfer', [to, value], from, more),
    balanceOf: (owner: Hex) =>
      client.readContract({
        address: usdc,
        abi: artefacts.Token.abi,
        functionName: 'balanceOf',
        args: [owner],
      }) as Promise<bigint>,
    async deploy(name: keyof typeof artefacts, args: readonly unknown[] = []): Promise<Hex> {
      const { abi, bytecode } = artefacts[name]
      const hash = await client.deployContract({ account: payer, abi, bytecode, args } as never)
      const { contractAddress } = await mined(hash)
      if (!contractAddress) throw new Error(`${name} was not deployed`)
      return contractAddress
    },
    async write(
      address: Hex,
      name: keyof typeof artefacts,
      functionName: string,
      args: readonly unknown[],
      from: Account,
    ): Promise<Hex> {
      const { abi } = artefacts[name]
      const hash = await client.writeContract({ account: from, address, abi, functionName, args } as never)
      await mined(hash)
      return hash
    },
  }
}

async function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`anvil did not start: ${text}`)
    text += decoder.decode(value, { stream: true })
    const [, address] = /Listening on ([\d.:]+)/.exec(text) ?? []
    if (address === undefined) continue
    drain(reader)
    return address
  }
}

/** Nobody reads the log further, but the pipe must not fill up. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** The private key of one of anvil's accounts. */
export function keyOf(account: (typeof accounts)[number]): Hex {
  return bytesToHex(account.getHdKey().privateKey ?? new Uint8Array())
}

/** What lets the service settle by itself. */
export const settlerEnv = { X402_SETTLER_KEY: keyOf(settler) }
