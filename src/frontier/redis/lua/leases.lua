-- Leases: {owner, ticket, depth or -1 for an errand, 1 if woken, text}; written by `struct`, the text at the end.
-- const: lOwner = 1, lTicket = 2, lDepth = 3, lWoken = 4, lText = 5, LEASE = '>Hc0dhB'
local function leaseOf(packed)
  local owner, ticket, depth, isWoken, at = sunpack(LEASE, packed)
  return { owner, ticket, depth, isWoken, sub(packed, at) }
end

local function leasesOf(some)
  if #some == 0 then return {} end
  local leases = call('HMGET', T .. 'l', unpack(some))
  for k = 1, #leases do
    local lease = leases[k]
    if lease then leases[k] = leaseOf(lease) end
  end
  return leases
end

-- The records of the hosts say so already.
local function closeLeases(closed)
  if #closed == 0 then return end
  call('HDEL', T .. 'l', unpack(closed))
  call('ZREM', T .. 'e', unpack(closed))
end
