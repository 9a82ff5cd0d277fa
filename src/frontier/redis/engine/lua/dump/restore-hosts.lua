#!lua
-- Hosts of a dump become known. input: {links turned away by each of three bounds (of all hosts, with the first ones), hosts}; hosts are {name,
-- domain (as in offering.lua), 1 if it has a time, that time in ms from now, resting, proven, visited, delay, failures, pages, server, received, turns, …}.
-- Returns {…, hosts that were known already}.
for k = 1, 3 do N[nMaxHosts + k - 1] = N[nMaxHosts + k - 1] + input[1][k] end
local hosts, twice = input[2], 0
for k = 1, #hosts, 13 do
  local name, domain = hosts[k], hosts[k + 1]
  if call('HEXISTS', T .. 'h', name) == 1 then
    twice = twice + 1
  else
    local h = touch(create(name, type(domain) == 'number' and sub(name, -domain) or domain))
    if hosts[k + 2] == 1 then h[hReady] = now + hosts[k + 3] end
    h[hResting], h[hProven], h[hVisited], h[hDelay] = hosts[k + 4], hosts[k + 5], hosts[k + 6], hosts[k + 7]
    h[hFails], h[hPages], h[hServer] = min(hosts[k + 8], 65535), hosts[k + 9], hosts[k + 10]
    h[hReceived], h[hTurns] = hosts[k + 11], hosts[k + 12]
    if h[hVisited] == 1 then call('SETBIT', T .. 'dv', h[hDomain], 1) end
  end
end
flush()
return finish(twice)
