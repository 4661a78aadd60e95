-- Each connection waits some ms between two requests, so that the load is steady and below what the server can bear. At the
-- end the latency of some percentiles is printed, in µs.
local pauseMs = 0

function init(args)
  pauseMs = tonumber(args[1]) or 0
end

function delay()
  return math.random(1, 2 * pauseMs - 1)
end

function done(summary, latency, requests)
  for _, percent in ipairs({ 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 }) do
    io.write(string.format('percentile %g %d\n', percent, latency:percentile(percent)))
  end
end
