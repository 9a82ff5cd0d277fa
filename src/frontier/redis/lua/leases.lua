-- Closes the lease of a host; the record says so already.
local function closeLeases(closed)
  if #closed == 0 then return end
  call('HDEL', T .. 'l', unpack(closed))
  call('ZREM', T .. 'e', unpack(closed))
end

local function leasesOf(some)
  if #some == 0 then return {} end
  local leases = call('HMGET', T .. 'l', unpack(some))
  for k, lease in ipairs(leases) do leases[k] = lease and unpacked(lease) end
  return leases
end
