import { expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { processorCount } from '../../src/cli/processor-count.ts'

/** Control groups as files, by their paths. */
function countWith(files: Readonly<Record<string, string>>, processors = 8): number {
  return processorCount((path) => {
    const text = files[path]
    if (text === undefined) throw new Error(`no file ${path}`)
    return text
  }, processors)
}

test.each([
  ['no control groups', {}, 8],
  ['no limit', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, 8],
  [
    'a container of two processors',
    { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '200000 100000\n' },
    2,
  ],
  ['one and a half', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }, 2],
  ['less than one', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '10000 100000\n' }, 1],
  ['more than there are', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '6400000 100000\n' }, 8],
  [
    'a limit of the slice above a unit',
    {
      '/proc/self/cgroup': '0::/web.slice/mintmark.service\n',
      '/sys/fs/cgroup/web.slice/cpu.max': '300000 100000\n',
      '/sys/fs/cgroup/web.slice/mintmark.service/cpu.max': 'max 100000\n',
    },
    3,
  ],
  [
    'version 1 of control groups',
    {
      '/proc/self/cgroup': '4:memory:/x\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc\n0::/\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '400000\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    4,
  ],
  [
    'version 1 without a limit',
    {
      '/proc/self/cgroup': '1:cpu:/\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    8,
  ],
  ['files of another form', { '/proc/self/cgroup': '0::/\nx', '/sys/fs/cgroup/cpu.max': 'words\n' }, 8],
])('the processors of a process with %s are counted', (_, files, expected) => {
  expect(countWith(files)).toBe(expected)
})

test('on this machine there is at least one, and not more than the runtime says', () => {
  expect(processorCount()).toBeGreaterThanOrEqual(1)
  expect(processorCount()).toBeLessThanOrEqual(availableParallelism())
})
