-- PNG cards whose words never come twice; the argument tells one run from another.
local run = ''
local asked = 0

function init(args)
  run = args[1] or ''
end

function request()
  asked = asked + 1
  return wrk.format('GET', '/api/og.png?title=Release+' .. asked .. '+of+' .. run .. '&subtitle=Notes+of+' .. asked * 7 .. '&demo=1')
end
