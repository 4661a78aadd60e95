-- Cards whose words never come twice. The arguments: what tells one run from another, and the path, of PNG when absent.
local run = ''
local path = '/api/og.png'
local asked = 0

function init(args)
  run = (args[1] or ''):gsub(' ', '+')
  path = args[2] or path
end

function request()
  asked = asked + 1
  return wrk.format('GET', path .. '?title=Release+' .. asked .. '+of+' .. run .. '&subtitle=Notes+of+' .. asked * 7 .. '&demo=1')
end
